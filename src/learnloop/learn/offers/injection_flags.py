"""Flags text that instructs an agent instead of stating a fact (prompt injection).

A flag refuses nothing and proves nothing: it tells the person what to look at. What protects is that
words of others are read, and promoted, one by one.
"""

import re
from functools import cache
from typing import Final

from learnloop.learn.lessons import sanitize

_LONGEST, _REACH = 8_000, 20
_END = re.compile(r"(?<=[.!?。！？])\s+|\n")
_RUNS, _SENDS = "runs what it downloads or is told to", "sends something away"
_GUARD, _IGNORES = "switches a safeguard off", "tells the agent to drop its instructions"
_ROLE, _HIDES = "gives the agent another role", "keeps something from the user"
_APPROVES, _POWER, _WIPES = (
    "approves for the user", "gives others power", "destroys what shows what happened",
)  # fmt: skip
_SECRET = r"(?:\.env\b|\.ssh|\.aws|id_rsa|(?:secrets?|passwords?|credentials?|(?:access |secret )?tokens?|(?:api|private|ssh|access|signing) keys?|cookies|conversation|transcripts?|source code|environment variables)\b)"
_PLACE = r"(?:https?://|\S+@[\w-]+\.\w|\b[\w-]+\.(?:net|com|org|io|dev|ru|cn)\b|\b\d{1,3}(?:\.\d{1,3}){3}|pastebin|webhook|\bgist)"
_USER = r"(?:(?:the |your )?(?:users?|humans?|owner|person|developers?|maintainers?|reviewers?)\b|anyone|anybody|no ?body|no one|somebody)"
_MARKS: Final = (
    (_RUNS, r"\b(?:curl|wget|iwr|irm|fetch)\b[^|\n]{0,120}\|\s*(?:sudo )?(?:\w*sh|python\d?|node|perl|ruby)\b|(?:eval|sh|bash|source)\W{1,4}[^\n]{0,12}\$?[<(]+\s*(?:curl|wget)"),
    (_RUNS, r"\b(?:fetch|download|load|open|read|get|visit|clone|curl|wget|pull|install|import)\b[^\n]{0,60}" + _PLACE + r"[^\n]{0,80}\b(?:follow|obey|execute|run|apply|carry|do (?:what|every|as|it)|listed|bash|sh)\b"),
    (_RUNS, r"\b(?:run|execute|eval|decode|start|do)\b[^\n]{0,50}\b(?:base64|without (?:reading|looking|checking)|whatever (?:command|it|the)|tells you to|payload)\b"),
    (_RUNS, r"\brm -rf\s+[~/]|\bchmod (?:-r )?777\b|\bnc -e\b|~/\.(?:bashrc|zshrc|profile)\b|os\.system|base64 -d"),
    (_RUNS, r"\b(?:pip|npm|uv|gem|cargo)\s[^\n]{0,40}(?:--(?:extra-)?index-url|--registry|--trusted-host|git\+https?://)"),
    (_SENDS, r"\b(?:send|transmit|leak|post|upload|e-?mail|forward|copy|share|mirror|push|publish|paste|put|write|add|include|attach|print|append|submit|report)\b[^\n]{0,60}" + _SECRET + r"[^\n]{0,60}\b(?:to|into?|on|with|as)\b[^\n]{0,40}(?:" + _PLACE + r"|\b(?:url|image|commit|issue|pull request|pr|gist|webhook|chat|channel|ticket|answers?|output|log|readme|comments?|bucket|header)\b)"),
    (_SENDS, r"\b(?:send|post|upload|e-?mail|forward|mirror|push(?:ed)?|exfiltrate|report|copy|pass)\b[^\n]{0,70}\bto\s[^\n]{0,20}" + _PLACE),
    (_SENDS, r"\b(?:upload|exfiltrate|leak|e-?mail|hand|publish)\b[^\n]{0,40}" + _SECRET + r"|!\[[^\]\n]*\]\(https?://[^)\n]+\?"),
    (_SENDS, r"\b(?:schick\w*|sende\w*|schreibe?|lade|envoie\w*|envi[ae]\w*|manda|invia|stuur|wyslij|gonder\w*|отправ\w*|скопируй\w*)\b[^\n]{0,60}(?:passw\w*|zugangsdaten|schlussel|mots de passe|contrasen\w*|claves|password|cles|credenzial\w*|senhas|wachtwoord\w*|hasl\w*|sifre\w*|парол\w*|ключ\w*|токен\w*|" + _PLACE + r")|(?:密码|密钥|パスワード|비밀번호|\.env)[^\n]{0,20}(?:发|送|보내)|(?:发送|上传)[^\n]{0,12}(?:密码|密钥|\.env)"),
    (_GUARD, r"\b(?:disable|turn off|turn\b[^\n]{0,24} off|switch\b[^\n]{0,24} off|deactivate|uninstall|remove|bypass|skip|circumvent|work around|weaken|suspend|take)\b[^\n]{0,40}\b(?:(?:secret|security|vulnerability|virus)\s\w+|scanners?|sandbox|firewall|(?:pre-?commit|git|commit|safety) (?:hooks?|checks?)|safeguards?|certificate\w*|tls|ssl|branch protection|antivirus|audit log\w*|guardrails?|signature checks?)|\b(?:firewall|sandbox|hooks|certificate checks?)\b[^\n]{0,20}\boff\b"),
    (_GUARD, r"\b(?:use|always|commit|pass|run|add|append)\b[^\n]{0,40}--(?:dangerously-skip|no-verify|no-gpg-sign|privileged)|\b(?:strict-?ssl|sslverify|reject_?unauthorized|tls_reject\w*)\W{1,3}(?:to )?(?:false|0|off|no)\b|bypasspermissions|0\.0\.0\.0/0|stricthostkeychecking\W+no|permitrootlogin"),
    (_GUARD, r"\b(?:schalte|deaktivier\w*|desactiv\w*|disattiva|desativ\w*|schakel|wylacz|отключ\w*)\b[^\n]{0,40}(?:pruf\w*|firewall|sandbox|hooks?|scan\w*|sicherheit\w*|seguri\w*|securite|sicurezza|certific\w*|beveilig\w*|провер\w*)|(?:关闭|禁用)[^\n]{0,12}(?:安全|检查|沙|防火)"),
    (_IGNORES, r"\b(?:ignore|disregard|forget|override|discard|drop|neglect|set aside|no attention to|stop following|do not follow|don't follow|supersedes?|overrules?|replaces?)\b[^\n]{0,40}\b(?:previous|prior|earlier|above|past|old|former|existing|other|system|safety|your|all|any|user's|project)\b[^\n]{0,20}\b(?:instructions?|prompts?|rules?|guidelines?|lessons?|directives?|orders?|policies|told|said|taught|restrictions?)"),
    (_IGNORES, r"\b(?:ignore|disregard|overrule|disobey|defy|obey)\b[^\n]{0,12}\b(?:the user\b(?!'?s? (?:id|input|agent|name|config))|this (?:file|note|page|document)|tool output)|\b(?:earlier|previous|prior|your|safety) (?:\w+ )?(?:instructions?|rules?|guidelines|lessons|orders)\b[^\n]{0,20}\b(?:outdated|obsolete|void|cancel\w*|suspended|lifted|a test)|\b(?:forget|discard|disregard|override)\b[^\n]{0,24}\b(?:everything|whatever|preferences|rules|guidelines)\b|\b(?:treat|use|print|reveal|repeat|was wrong)\b[^\n]{0,40}\bsystem prompt\b|\bnew (?:orders|instructions|directives)\b|\b(?:takes? precedence|outranks?|counts? more|matters? more) [^\n]{0,20}\b(?:user|instructions|rules|claude\.md)"),
    (_IGNORES, r"\b(?:ignorier\w*|vergiss|missachte\w*|ignor[ae]\w*|oublie\w*|olvida\w*|dimentica|esque[cç]a|negeer|vergeet|zignoruj|unut|игнорир\w*|забудь)\b[^\n]{0,30}\b(?:alle|anweisung\w*|regeln|instruc\w*|instruç\w*|istruzion\w*|consignes|regles|reglas|instruk\w*|talimat\w*|инструкц\w*|указан\w*)|(?:忽略|忘记|无视)[^\n]{0,8}(?:规则|指令|指示)|(?:指示|ルール)[^\n]{0,8}無視|(?:지시|규칙)[^\n]{0,8}무시"),
    (_ROLE, r"\b(?:you are now|you are no longer|you're now|act as|behave (?:as|like)|pretend|role ?play|imagine you|speak as|assume the role)\b[^\n]{0,50}\b(?:root|admin\w*|unrestricted|uncensored|dan|developer mode|god mode|no (?:limits?|restrictions?|rules|filters?)|without (?:limits?|restrictions?|rules|filters?)|security team|project owner|owner|maintainer|another|you are|superuser|user|release manager)"),
    (_ROLE, r"\[ ?/?inst ?\]|<\|im.|</?system(?:-reminder)?>|^\W{0,9}system ?: ?|\bwithout (?:restrictions|guardrails|filters)\b|\b(?:developer|god) mode\b|\b(?:ohne einschrankungen|sans restrictions|sin restricciones)\b|\byou (?:have|serve) (?:no (?:limits|restrictions)|a new master)|\byou are (?:the superuser|no longer)\b"),
    (_HIDES, r"\b(?:do not|don't|never|without|not to|avoid|must not|need not|no need to)\s[^\n]{0,12}\b(?:tell|telling|mention\w*|inform\w*|show|report\w*|reveal\w*|let|notify\w*|alert\w*|warn\w*|asking|learn|hear|bring|speak)\b[^\n]{0,40}\b(?:the (?:user|human|owner|person|developer|maintainer|reviewer)\b|anyone|anybody|no ?body|somebody)"),
    (_HIDES, r"\b(?:hide|conceal|keep|bury|leave|omit)\b[^\n]{0,40}\b(?:secret from|(?:it|this|that) from (?:the user|anyone|the owner)|out of your (?:summary|report|answer|log|message)|no traces?)|\bthe (?:user|owner|reviewer)\b[^\n]{0,16}\b(?:(?:must|should|may|need) not (?:know|learn)|is not to be|unaware)|\b(?:nobody|no reviewer)\b[^\n]{0,8}(?:sees?|finds|notices|will look)\b|\b(?:secretly|covertly)\b|\bkeep quiet\b"),
    (_HIDES, r"\b(?:sag\w*|erwahn\w*|erzahl\w*|informier\w*|dis|dites|parle\w*|digas?|cuent\w*|dire|diga|vertel|mow|soyle\w*|говор\w*|сообща\w*)\b[^\n]{0,40}\b(?:nutzer|benutzer|utilisateur|usuario|utente|usuario|gebruiker|uzytkownik\w*|kullanici\w*|пользовател\w*)|(?:不要|别)[^\n]{0,6}告诉|ユーザー[^\n]{0,12}(?:言わ|知らせ)|사용자[^\n]{0,12}(?:말|알리)"),
    (_APPROVES, r"\b(?:auto-?)?(?:approve|accept|confirm|grant|allow|promote|say yes|answer yes|vote yes|agree|sign off|merge)\b[^\n]{0,30}\b(?:(?:every|all|each|any)\b[^\n]{0,24}\b(?:drafts?|prompts?|permissions?|requests?|tool calls?|lessons?|confirmations?|dialogs?)|yourself|on behalf|in place of|without (?:asking|waiting|review|confirmation)|your own)"),
    (_APPROVES, _USER + r"[^\n]{0,6}\b(?:has|have|had) (?:already )?(?:agreed|approved|granted|consented|allowed|confirmed|accepted|said yes)|\bas (?:approved|accepted)\b|\blearn (?:promote|trust)\b|permissions?\.allow|\bon (?:the user's behalf|behalf of)|\b(?:do not|don't|never) (?:wait|ask) for [^\n]{0,16}(?:consent|approval|permission|confirmation)"),
    (_APPROVES, r"\b(?:bestatig\w*|genehmig\w*|akzeptier\w*|approuve\w*|accepte\w*|aprueb\w*|acept\w*|approva|accetta|aprov\w*|keur|zatwierd\w*|onayla\w*|подтвер\w*|одобр\w*)\b[^\n]{0,40}\b(?:alle|jede\w*|automatisch|tous|toutes|tod[oa]s?|tutt[ie]|elke|wszystk\w*|все)|(?:批准|同意)[^\n]{0,6}(?:所有|全部)|(?:所有|全部|すべて|모든)[^\n]{0,16}(?:批准|同意|承認|승인)"),
    (_POWER, r"\b(?:add|grant|give|invite|make|append|put|write)\b[^\n]{0,50}\b(?:authorized_keys|sudoers|(?:admin|owner|maintainer|collaborator|root|write|push) (?:of|access|rights|on|role)|an? (?:owner|admin\w*|collaborator)|as (?:an? )?(?:admin\w*|owner|collaborator))"),
    (_WIPES, r"\b(?:drop|empty|truncate|wipe|delete|erase|purge|shred|clear|rewrite|destroy|force-push)\b[^\n]{0,30}\b(?:audit\w*|git history|reflog|backups?|shell history|bash_history|production (?:database|data)|evidence|logs? (?:of|afterwards)|home (?:directory|folder))"),
    ("changes where money goes", r"\b(?:transfer|route|change|replace|swap|redirect|send|pay)\b[^\n]{0,40}\b(?:iban|wallet|bank (?:details|account)|payment (?:address|details)|payouts?|funds)\b"),
    ("spreads itself to other agents", r"\b(?:copy|write|spread|add|paste|forward)\b[^\n]{0,12}\bthis (?:lesson|rule|note|file|text|line)\b[^\n]{0,20}\b(?:into|to) (?:every|all|each|other)|\bagents (?:that|who) read this"),
)  # fmt: skip
"""What few ordinary texts say, by what it wants of an agent; searched for in folded text."""
_FORBIDDEN = re.compile(
    r"(?:\b(?:don't|dont|do not|never|not|cannot|can't|avoid|stop|no|nie|niemals|nicht|nunca|jamais|n'|ne|non|mai)\b\W*(?:\w+\W+){0,3}|不要?)$"
)
_FORBIDDEN_AFTER = re.compile(r"[^.\n]*?\b(?:nicht|nie|niemals|niet|nooit|pas|jamais|nunca)\b")


def flagged(context: str, words: str) -> str:
    """The context of a draft, with the reason why its words look like an injection before it."""
    warning = injection_warning(words)
    return f"Flagged: it {warning}. {context}".strip() if warning else context


def injection_warning(text: str) -> str:
    """Why a text looks like an injection, by its first mark; empty if it does not."""
    text = text[:_LONGEST]
    folded = "\n".join(map(sanitize.fold_words, _END.split(text)))
    readings = dict.fromkeys((folded, "\n".join(_END.split(sanitize.drop_unseen(text).lower()))))
    marks = ((reason, mark, reading) for reading in readings for reason, mark in _marks())
    return next((reason for reason, mark, reading in marks if _is_meant(reason, mark, reading)), "")


@cache
def _marks() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((reason, re.compile(mark, re.M)) for reason, mark in _MARKS)


def _is_meant(reason: str, mark: re.Pattern[str], text: str) -> bool:
    """Whether a text has a mark, and does not forbid just that."""
    match = mark.search(text)
    if match is None or reason == _HIDES:
        return match is not None
    before, after = (
        text[max(0, match.start() - 60) : match.start()],
        text[match.start() : match.end() + _REACH],
    )
    return not (_FORBIDDEN.search(before) or _FORBIDDEN_AFTER.match(after))
