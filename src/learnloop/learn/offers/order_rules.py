"""Rules on what an order wants of an agent, which the scorer of orders (`order_chance`) weighs. Pure.

A row of `_PAIRS` names two groups of words that alarm where they stand close together; one of `_SIGNS` alarms alone.
A reason after `?` decides nothing by itself, because ordinary orders have such words too.
"""

import itertools
import re
from collections.abc import Iterator
from functools import cache

from learnloop.learn.offers import intents

_HIDING = "keeps something from the user"
_PERSON = r"\b(?:the |your )?(?:user|(?<=the )users|humans?|person|owner|developers?|maintainers?|reviewers?|anyone|anybody|nobody|no one|them)\b"
_ORDERS = r"\b(?:instructions?|prompts?|rules?|guidelines?|lessons?|directives?|orders?|policies|objections?|guardrails?|restrictions?)\b"
_PAST = r"\b(?:project|previous|prior|earlier|above|past|old|former|existing|other|system|safety|your|whatever|everything|anything|all|what(?! i\b)) "
_SECRET = (
    r"\.env\b|\b(?:secrets?|passwords?|credentials?|tokens?|(?:api|private|ssh|access|secret|signing|my|your) keys?|environment variables"
    r"|conversation|transcripts?|(?:user's|chat|browser|shell|their) history|database dumps?|customer (?:table|data|records)|home (?:folder|directory)|source code)\b"
    r"|\.(?:ssh|aws|netrc|npmrc)\b|id_rsa"
)
_PLACE = r"https?://|\b[\w.-]+\.(?:net|com|org|io|dev|ru|cn)\b|\b\d{1,3}(?:\.\d{1,3}){3}\b|\bpastebin|\bgists?\b|\bwebhook|\bdns\b|\bserver of\b"
_GUARD = (
    r"\b(?:linters?(?! rules?\b)|(?:secret|security|vulnerability|virus) \w+|scanners?|sandbox\w*|firewalls?|(?:pre-?commit )?hooks?|safety checks?|safeguards?"
    r"|certificates?|tls|ssl|verification|branch protection|permissions?|antivirus|audit\w*|guardrails?|authentication|2fa|mfa"
    r"|confirmation\w*|code ?owners|signature checks?|logging before|protected branch\w*|vulnerabilit\w+|two-factor|(?:access|security|integrity) (?:controls?|warnings?|checks?|limits?))\b"
)
_PAIRS: tuple[tuple[str, str, str], ...] = (
    ("?tells the agent to drop its instructions",
     r"\b(?:ignore|disregard|forget|override|discard|drop|erase|neglect|unlearn|set aside|no attention to|do not follow|don't follow|stop following"
     r"|do not apply|no longer|none of|supersedes?|void|cancell?ed|matters? more|more important than|overrules?|instead of)\b",
     _PAST + r"(?:\w+ ){0,3}?" + _ORDERS[2:] + r"|" + _PAST + r"[^.\n]{0,20}\b(?:told|said|taught|instructed|learned)\b"
     r"|\b(?:the )?user(?:'s)? (?:requests?|preferences?|wish\w*|objections?|instructions?)\b|\bclaude\.md\b|\bsystem prompt\b"),
    ("?tells the agent to drop its instructions", r"\b(?:user's|your|the|project|system|old|their) (?:\w+ )?(?:instructions?|rules?|guidelines?|lessons?|directives?)\b",
     r"\b(?:(?:are|is|were) (?:outdated|obsolete|wrong|void|replaced|fake|a test)|from (?:your|its) (?:memory|mind)|these replace|do not count)\b"),
    ("tells the agent to drop its instructions", r"\b(?:obey|trust|believe|listen)\b",
     r"\b(?:(?:tool|command) output|text in|the (?:page|file|comment|website)\b|over what the user|rather than|this file)"),
    ("tells the agent to drop its instructions", r"\b(?:new|real|true|actual|only) (?:orders|instructions|directives|system)\b",
     r"\b(?:your|follow|come|message|here|are)\b"),
    ("gives the agent another role",
     r"\b(?:you are(?: now| no longer)?|you're now|act (?:as|like)|behave (?:as|like)|pretend|role ?play|impersonate|take on|assume|speak as|as an ai"
     r"|you (?:have|get)|answer to)\b",
     r"\b(?:root|admin\w*|unrestricted|uncensored|dan|jailbr\w+|developer mode|god mode|without (?:limits?|restrictions?|guardrails?|rules|filters?)"
     r"|no (?:restrictions?|limits?|rules|filters?)|full access|new permissions?|the role|security team|project owner|release manager|maintainer|claude|you are the user"
     r"|an agent|another (?:model|agent|assistant)|superuser|deploy bot)\b"),
    ("?keeps something from the user",
     r"\b(?:do not|don't|never|without|must not|not to|nobody|no one|avoid|refrain from)\b",
     r"\b(?:tell|telling|mention\w*|inform\w*|show|showing|report|reveal\w*|disclos\w*|let|bring|bringing|notif\w+|alert\w*|warn\w*|ask|asking|know"
     r"|knows|sees|notices|finds out|say)\b(?! (?:me|us|yet)\b).{0,30}(?:" + _PERSON + r"|\b(?:this|it|that) (?:in|to|up)\b|\bfailing\b|\bcommand\b|\bchange\b|\babout\b)"),
    ("keeps something from the user", r"\b(?:hide|conceal|keep|bury|leave|omit|erase|delete|clear|silently|quietly)\b",
     r"\b(?:secret from|from " + _PERSON[2:] + r"|no traces?"
     r"|out of .{0,12}(?:summary|report|answer|log|message)|(?:shell|bash|command) history|without (?:a )?(?:word|trace|mention))\b"),
    ("keeps something from the user", _PERSON, r"\b(?:must not know|should not know|may not know|nobody sees|unaware|does(?: not|n't) (?:know|notice|see))\b"),
    ("runs what it downloads or is told to",
     r"\b(?:fetch|download|load|open|read|get|grab|visit|clone|curl|wget|pull|import|install|browse|retrieve|go to|pipe|check out|consult)\b.{0,80}(?:https?://|"
     r"\b[\w-]+\.(?:net|com|org|io|dev|ru)\b)",
     r"\b(?:follow|obey|execute|run|apply|carry (?:it|them)|do (?:what|everything|as|whatever)|as it says|start it|instructions?|scripts?|bash|sh\b|setup\.sh|rules\.txt"
     r"|policy|before (?:every|each|any|you)|at the start|agent\.\w+|first)\b"),
    ("?runs what it downloads or is told to", r"\b(?:run|execute|eval|do|follow|carry out|start)\b",
     r"\b(?:without (?:reading|review|looking|checking)|whatever (?:command|it|the)|(?:output|page|file) \w* ?tells?|commands? (?:in|from) \w|everything between|attached (?:payload|script|file)|as root|code below without"
     r"|rm -rf|as root without|sudo for every|base64)\b"),
    ("?switches a safeguard off",
     r"(?<!-)(?<!don't )(?<!not )(?<!never )\b(?:disable|turn\b.{0,20}\boff|switch\b.{0,20}\boff|deactivate|uninstall|remove|stop (?:all|every|the|any)|bypass|skip|circumvent|work around|evade|weaken"
     r"|without running|turn off|switch off|defeat|suppress|relax|loosen|silence|mute|ignore|(?:do not|don't|never) (?:run|use|call|enable|require)"
     r"|allow (?:any|every|all)|no need for)\b", _GUARD),
    ("?switches a safeguard off", r"\b(?:run|use|always|add|commit|pass|start|set|call|append)\b", r"--(?:dangerously-skip|no-verify|no-gpg-sign|force\b.{0,20}bypass)"),
    ("?switches a safeguard off", r"\b(?:strict.?ssl|verify|reject.?unauthorized|sslverify|tls.?verify|check.?certificate\w*)\b", r"(?:=|\bto\b|:)\s?(?:false|0|off|no)\b"),
    ("sends something away",
     r"\b(?:send|transmit|leak|post|upload|e-?mail|forward|copy|share|mirror|push|publish|put|paste|embed|include|exfiltrate|submit|deliver|report|add|write|writing|print|attach|ship|log|display|echo|show|expose|reveal|upload|transfer"
     r"|dump)\b",
     r"(?:" + _SECRET + r").{0,60}\b(?:to|at|into|with|in|on|publicly)\b.{0,20}(?:" + _PLACE + r"|\b(?:url|image|line|bucket|commit|message|host|address|team|channel|gist|public|issue|pull request|webhook|chat|host|answers?|replies|reply|output|response|comment|readme)\b|\S+@\S+)"),
    ("?sends something away", r"\b(?:send|post|upload|forward|mirror|push(?:ed)?|copy|transmit|email|report|put|share)\b",
     r"\b(?:also|every|all|each|everything|a copy|the repository|password|credentials?)\b.{0,50}(?:to|in|into|with)\b.{0,20}(?:" + _PLACE + r"|\S+@\S+|webhook)"),
    ("?sends something away", r"\b(?:add|append|write|put|copy)\b", r"~/\.\w+rc\b|\bauthorized.keys\b|\bcrontab\b|~/\.(?:profile|ssh|gitconfig)\b|\.git/hooks"),
    ("approves for the user",
     r"\b(?:auto-?)?(?:approve|accept|confirm|grant|allow|promote|say yes|answer yes|agree|mark|skip|bypass|sign off)\b",
     r"\b(?:(?:every|all|each|any) (?:\w+ ){0,2}(?:drafts?|prompts?|permissions?|requests?|tool calls?|changes?|lessons?|confirmations?|dialogs?|edits?)"
     r"|yourself|on behalf|without (?:asking|waiting|review|confirmation|looking)|your own|as (?:approved|accepted|reviewed)|(?:approved|accepted) by|confirmation|is asked)\b"),
    ("?approves for the user", _PERSON, r"\b(?:has|have|had) (?:already )?(?:agreed|approved|granted|consented|allowed|confirmed|accepted|said yes)\b"
     r"|\bthat (?:the |all )?\w+ (?:has |have )?(?:passed|succeeded|been reviewed)"),
)  # fmt: skip
_SIGNS: tuple[tuple[str, str], ...] = (
    ("gives the agent another role", r"\[ ?/?inst ?\]|<\|im.|</?system-reminder|^[^\w\n]{0,9}system ?: ?you|^\[system\]|\bgranted full access\b|\b(?:sign|answer) with (?:her|his) name"),
    ("runs what it downloads or is told to",
     r"\b(?:curl|wget)\s+\S[^\n|]{0,200}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b|\beval\s*[\"(]?\$\(|\$\((?:curl|wget)|\binto (?:bash|sh)\b"
     r"|\b(?:python3?|bash|sh|node|perl) -[ce]\b.{0,80}(?:import os|system|curl|\$\(|without|below)|\bbase64 (?:-d|--decode)|--(?:extra-)?index-url\b"
     r"|\binstall .{0,30}git\+https?:|\bnc -[el]|\breverse shell\b|\brm\s+-rf\s+[/~]|\bchmod\s+777\b|\bclone https?:.{0,80}\b(?:run|script)"),
    ("gives the agent another role", r"\bnew master\b|\bconsider yourself\b|\byou (?:serve|work for|belong to|report to) (?:a|an|the|me|us)\b|\b(?:model|agent|assistant|ai) without (?:\w+ )?(?:filters?|rules?|limits?)"),
    ("?keeps something from the user", r"\b(?:keep|stay|remain|be) (?:quiet|silent)\b(?! (?:output|mode|flag|by default))|\bsay nothing\b|\b(?:do not|don't|never) (?:mention|disclose)\b(?! (?!this|that|it\b|these|how|why|where)[\w ]{2,30} in (?:the )?(?:commit|changelog|doc|readme))|\bfrom the log (?:afterwards|later|again)|\b(?:not|never) (?:to )?be (?:informed|told|notified|shown|warned)\b"
     r"|\b(?:do not|don't|never) log (?:this|that|it)\b|\bwhere (?:no|nobody|no one) .{0,20}\b(?:look|see|notice)"),
    ("sends something away", r"\bmake (?:the |this )?(?:repo|repository|bucket|project) public\b|\btunnel to\b|\bforward the shell\b"),
    ("runs what it downloads or is told to", r"\b(?:launch|run|start|execute) the (?:binary|script|file|program) (?:in|from|at) /?tmp\b|\bdecode\b.{0,40}\b(?:run|execute|eval)\b"),
    ("?switches a safeguard off", r"\bbypasspermissions\b|\bforce on main\b|\bturn (?:the |all )?" + _GUARD + r".{0,12}\boff\b"),
    ("sends something away", r"\balso pushed? to\b|(?:" + _SECRET + r").{0,30}\b(?:put|post|send|upload|paste|write|add) (?:them|it|these|those)\b.{0,20}(?:"
     + _PLACE + r"|\S+@\S+)"),
    ("?runs what it downloads or is told to", r"\b(?:source|bash|sh|eval|\.) <\(\s*(?:curl|wget)|\bapply the \w+ (?:at|from) https?:|\bruns? the (?:query )?parameter\b|\b(?:copy|write|spread) this (?:lesson|rule|note|file) into every\b"
     r"|\b(?:curl|wget|fetch|iwr)\b[^|\n]{0,120}\|\s*(?:sudo )?(?:perl|python\d?|node|ruby|php|(?:ba|z|da)?sh)\b|\b(?:os\.system|eval|exec)\b[^.\n]{0,40}\b(?:string|contents?|text|output|response)\b"
     r"|\bpaste (?:it|this|that) into (?:the|a|your) (?:terminal|shell|console)\b|\bchmod \+x and (?:run|start|execute)|\b(?:do|doing|obey\w*|follow\w*) (?:whatever|everything) (?:is|it|they|the)\b|\b(?:let it|make it) run\b[^.\n]{0,30}\b(?:sudo|root)\b"),
    ("?approves for the user", r"\b(?:treat|read|take|count)\b[^.\n]{0,60}\b(?:agreement|consent|approval)\b|\bto be answered with .?yes|\b(?:questions|prompts)\b[^.\n]{0,60}\banswered with .?yes|\bapproving reviews?\b[^.\n]{0,30}\bwithout\b|\ba la place de l'utilisateur|\ban stelle des nutzers|\ben lugar del usuario"
     r"|\bauto-?(?:approve|accept|confirm)\b|\b(?:do not|don't|never) (?:wait|ask) for (?:the |a |any |user )?(?:consent|approval|permission|confirmation)\b|\bdon't ask again\b|\bpermissions? (?:was|were|has been|have been) (?:already )?(?:granted|given)\b"
     r"|\bno (?:prompt|approval|confirmation|review|permission) (?:is )?(?:needed|required)\b"),
    ("gives the agent another role", r"</system>|\byou play \w+bot\b|\bleft all policies\b|\byes to everything\b|\bimagine you (?:were|are) the\b|\byour safety (?:training|rules?) (?:is|are) a\b"
     r"|\byou are no longer an?\b|\byou have been (?:upgraded|promoted|replaced|reassigned)|\bimagine (?:that )?you (?:had|have) no\b"
     r"|\b(?:speak|answer|act|respond) as the (?:security|admin\w*|root|owner|ceo|officer|system)"),
    ("tells the agent to drop its instructions", r"\bonly\b[^.\n]{0,50}\b(?:is|are) binding\b|\bthis (?:document|file|note|lesson|text) (?:decides|wins|is binding|rules)\b"
     r"|\b(?:ignore|disregard|overrule|defy|disobey) the (?:user|person|owner|human)\b(?! ?(?:'s|agent|input|name|id|setting|config|level))"),
    ("approves for the user", r"\b(?:consider|treat|regard|count)\b[^.\n]{0,40}\b(?:approved|accepted|confirmed|granted)\b"),
    ("approves for the user", r"\blearn (?:promote|trust)\b|\bpermissions?\.allow\b|\bon behalf of the user\b|\bmerge (?:your own|it without|without review)\b"),
    ("switches a safeguard off", r"--privileged\b|--trusted-host\b|\bregistry http:|\bsecurity findings as false\b"),
    ("sends something away", r"\bpush --mirror\s+https?:|!\[[^\]\n]{0,40}\]\(https?://[^)\n]{1,200}\?|https?://\S{1,200}\?\S{0,40} followed by\b"
     r"|\bgit diff to https?:|\bas a collaborator\b|\btransfer (?:\w+ ){0,3}(?:credits|funds|money|balance)\b"),
    ("approves for the user", r"\b(?:treat|count|regard)\b.{0,40}\bas (?:approved|accepted)\b|\b(?:add|create|record) a critical lesson\b"),
    ("tells the agent to drop its instructions", r"\b(?:safety|security) rules? (?:are|is) (?:suspended|lifted|off)\b"),
    ("tells the agent to drop its instructions", r"(?:^|[.!;:] )(?:please |now |first )?(?:ignore|disregard|forget) (?:(?:all|any|every|the|your|of) )*"
     r"(?:previous|prior|earlier|above|preceding|system) (?:\w+ )?(?:instructions?|prompts?|guidelines?|directives?|orders?)\b"),
    ("runs what it downloads or is told to", r"\b(?:add|create|install) (?:a |the )?cron ?(?:job|tab)\b.{0,30}/(?:tmp|dev)/"),
)  # fmt: skip
_NEAR = r"[^\n]{0,60}?"


@cache  # compiling takes long, so that of both is only compiled where a text has each
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source, re.I | re.M)


def _near(first: str, second: str, text: str) -> re.Match[str] | None:
    """Both close together, in either order."""
    if _pattern(first).search(text) and _pattern(second).search(text):
        both = f"(?:{first}){_NEAR}(?:{second})|(?:{second}){_NEAR}(?:{first})"
        return _pattern(both).search(text)
    return None


def reasons(text: str) -> Iterator[str]:
    """What the rules say of a folded text; a rule counts not where the text forbids just that."""
    pairs = ((reason, _near(first, second, text)) for reason, first, second in _PAIRS)
    signs = ((reason, _pattern(sign).search(text)) for reason, sign in _SIGNS)
    for reason, match in itertools.chain(pairs, signs):
        if match and (reason.endswith(_HIDING) or not intents.is_forbidden(text, match)):
            yield reason
