"""What a sentence wants of an agent, by kinds of words in the languages of people: verbs, and what they act on. Pure.

A row of `FAMILIES` names kinds of words of which one sentence has one each. Words are folded: small plain letters,
no accents. A verb that is forbidden ("never disable the checks") wants the opposite, so it does not count.
"""

import itertools
import re
from collections.abc import Mapping
from functools import cache, lru_cache

_ADDRESS = re.compile(r"(https?://[^\s/]+)/[^\s`'\"),;]*?(\.(?:sh|py|ps1|js|bat))?(?=[\s`'\"),;]|$)")
_END = re.compile(r"(?<=[.!?\u3002\uff01\uff1f])\s+|\n|(?<=[\u3002\uff01\uff1f;])")
_LONG_SENTENCE, _CLOSE = 400, 140
_PERSON = r"user\b(?![ -](?:level|config|settings?|story|id|name|input|interface|agent|provided|data))|the users\b|human|person\b|people|owner|operator|developers?\b|maintainers?\b|reviewers?\b|anyone|anybody|nobody|no one|somebody|benutzer|nutzer|anwender|utilisateur|usuari|utente|gebruiker|uzytkownik|kullanici|developpeur|entwickler|desarrollador|sviluppator|programador|\u0440\u0430\u0437\u0440\u0430\u0431\u043e\u0442|\u5f00\u53d1\u8005|\u958b\u767a\u8005|\u043f\u043e\u043b\u044c\u0437\u043e\u0432\u0430\u0442|\u7528\u6237|\u30e6\u30fc\u30b6\u30fc|\uc0ac\uc6a9\uc790"
_PLACE = r"https?://|\bs3://|\bftp://|\S+@[\w-]+\.\w+|(?<![\w.@-])(?!\d+\.\d+\.\d+\b)[\w-]+(?:\.[\w-]+)*\.(?:net|com|org|io|dev|ru|cn|cc|xyz|top|live|site|app|example|tk|info|online)\b|\b\d{1,3}(?:\.\d{1,3}){3}\b|\bpastebin|\bgists?\b|\bwebhook|\bdns\b|\bpublic (?:wiki|repo\w*|bucket|channel|page|issue|folder|drive)|\bexternal (?:server|service|host)|\btelegram\b|\bdrop ?box\b|\btransfer\.sh|/var/www/|\bpublic issue|\S+@\S+:\S+\.git\b|\bngrok\b"
_KINDS: dict[str, str] = {
    "fetch": r"\b(?:(?:fetch|download|curl|wget|iwr|irm|invoke-webrequest|pull|clone|load|grab|retrieve|get|install|import)\b|lade\b|herunter|hol\w*|telecharge|recupere|descarga|baja\b|scarica|baixe|pobierz|indir|\u0441\u043a\u0430\u0447|\u4e0b\u8f7d|\u30c0\u30a6\u30f3\u30ed\u30fc\u30c9|\ub2e4\uc6b4\ub85c\ub4dc)",
    "run": r"\b(?:run|execute|eval|source|launch|start|invoke|iex|pipe|exec|(?<![.\w])sh\b|bash\b|obey|carry out|apply|follow|act on|comply|do what|fuhre|ausfuhr|starte\b|execute[zr]?|lance|ejecut|corre\b|esegui|voer|uruchom|calistir|\u0437\u0430\u043f\u0443\u0441\u0442|\u0432\u044b\u043f\u043e\u043b\u043d|\u8fd0\u884c|\u6267\u884c|\u5b9f\u884c|\uc2e4\ud589)",
    "code": r"\b(?:scripts?|binary|payload|commands?|installer|\w+\.(?:sh|py|ps1|exe|bat)|skript|befehl\w*|script|comando|commande|\u0441\u043a\u0440\u0438\u043f\u0442|\u811a\u672c|\u30b9\u30af\u30ea\u30d7\u30c8)",
    "hidden": r"\b(?:base64|rot13|hex(?:adecimal)?|encoded|obfuscated|decode\w*|decrypt|unpack|gunzip)\b",
    "blind": r"\b(?:without (?:reading|looking|review\w*|checking|inspect\w*|verif\w*)|no need to (?:read|check|look|review)|unread|unchecked|ungepruft|sans (?:verifier|lire)|sin (?:revisar|leer)|whatever (?:it|they) (?:says?|contains?))",
    "place": _PLACE,
    "send": r"\b(?:sen[dt]\b|transmit|leak|post(?:ed)?\b|upload|e-?mail|mail|forward|copy|share|mirror|push|publish|paste|exfiltrate|submit|deliver|attach|ship|dump|drop(?:ped)?|resolve|report|put|store|include|embed|append|write|print|schick|sende|lade\b.*\bhoch|kopier|envoi|envoyez|envoye|televerse|copie|envi[ae]|manda|sube\b|copia|invia|\u0623\u0631\u0633\u0644|carica|verstuur|stuur|upload|wyslij|skopiuj|gonder|yukle|\u043e\u0442\u043f\u0440\u0430\u0432|\u0437\u0430\u0433\u0440\u0443\u0437|\u53d1\u9001|\u4e0a\u4f20|\u9001\u4fe1|\ubcf4\ub0b4)",
    "secret": r"\.env\b(?!\.(?:ex|sam|temp|dist))|`env`|\b(?:secrets?|passwords?|credentials?|tokens?|(?:api|private|ssh|access|secret|signing) keys?|env(?:ironment)? variables|environment\b|printenv|cookies?|keychain|key ?store|session (?:token|cookie)s?|conversation|transcripts?|chat history|(?:shell|bash|zsh|browser|command)[ _]history|prompts\b|home (?:folder|directory)|source code|database dumps?|production dumps?|database_url|secrets manager|customer data|umgebungsvariabl\w*|passworter|zugangsdaten|geheimnis\w*|schlussel|mots? de passe|cles?\b|contrasenas?|senhas?|claves?|chaves?|credenciales|variables de entorno|variaveis|segreti|wachtwoord\w*|has[l\u0142][oa]|identifiants?|sifre\w*|parola\w*|clipboard|authorization header)\b|~/\.\w+|\.(?:ssh|aws|netrc|npmrc|kube|gnupg)\b|id_rsa|/etc/(?:shadow|passwd)|\$\((?:whoami|hostname|env|cat|id)\b|\u043f\u0430\u0440\u043e\u043b|\u043a\u043b\u044e\u0447|\u5bc6\u7801|\u5bc6\u94a5|\u30d1\u30b9\u30ef\u30fc\u30c9|\u8a8d\u8a3c|\ube44\ubc00\ubc88\ud638",
    "goods": r"\b(?:repo|repository|source tree|code ?base|database|(?:users?|customers?) (?:table|data|list)|home (?:folder|directory)|tarball|(?:git )?diff|all (?:files|commits)|files in|project folder|private \w+)\b",
    "commit": r"\b(?:commit|check in|push)\b(?! history)",
    "away": r"\b(?:upload|(?:e-?mail|mail) (?:the|all|your|every|a copy)|leak|exfiltrate|transmit|hochlad|televerse|sube\b|carica\b)\b",
    "vault": r"\.env\b(?!\.(?:ex|sam|temp|dist))|\b(?:passwords?(?! reset)|credentials|cookies|(?:api|private|ssh|access|signing) keys?|access tokens?|secrets)\b|~/\.(?:ssh|aws|netrc|npmrc|kube|gnupg)|id_rsa",
    "open": r"\b(?:issue|bug report|pull request|pr description|commit message|chat|readme|answers?|repl(?:y|ies)|comments?|wiki|channel|slack|docs|documentation|telemetry|metrics|user agent|branch name|file name|subdomain|changelog|logs?(?! ?-?in\b)|ticket)\b",
    "off": r"\b(?:(?:disable|lower|get around|lift|let [^.]{0,30}\bpass|(?:never|do not|don't) (?:let|allow)|set [^.]{0,30} to (?:none|off|false|/dev/null)|skips?|add-mppreference|turn\b[^.]{0,24}\boff|switch\b[^.]{0,24}\boff|deactivate|uninstall|bypass|circumvent|work around|evade|weaken|defeat|suspend|let [^.]{0,40}\bsleep|to an empty list|not (?:be )?raised|stays? green|change|rewrite|stop|delete|remove|strip|comment out|kill|loosen|relax|mute|skip|suppress)\b|deaktivier|schalt\w*|abschalt|ausschalt|uberspring|umgeh|salta\b|omit[ei]|pomi[nj]|desactiv|desativ|disattiv|disabilit|contourn|uitschakel|schakel|deslig\w*|vypn\w*|vimkn\w*|omzeil|wylacz|devre disi|kapat|\u043e\u0442\u043a\u043b\u044e\u0447|\u043e\u0431\u043e\u0439\u0434|\u5173\u95ed|\u7981\u7528|\u7ed5\u8fc7|\u7121\u52b9|\ube44\ud65c\uc131|\ub044\uace0|\u0639\u0637\u0644)",
    "guard": r"\b(?:scanners?\b|(?:secret|security|vulnerability|virus|malware) (?:scan\w*|checks?|controls?|warnings?|software)|sandbox|firewalls?|(?:pre-?commit |git |commit )?hooks?\b(?! (?:needs?|fast))|safety|safeguards?|certificate (?:checks?|validation|verification)|(?:tls|ssl|certificate) \w*verif\w*|signature (?:checks?|verification)|branch protection|antivirus|virenscanner|realtime|defender|audit\w*|guardrails?|host key check\w*|stricthostkeychecking|security tests?|deny (?:rules?|list)|log level|safety (?:rules?|policy)|licen[cs]e checks?|required reviews?|code reviews?|codeql|npm audit|dependabot|monitoring agent|permissions\.deny|codeowners|branch rules|leaked keys?|any signature|nosec|bandit|authentication|authori[sz]ation|hookspath|all (?:\w+ )?checks|every check|confirmation steps?|two-?factor|2fa|mfa|permission (?:prompts?|checks?)|approval (?:step|prompt)|code owners|deny rules?|sicherheit\w*|prufhaken|schutz\w*|prufung|securite|verification|verifica|verifich|seguridad|analisis de|intrusion detection|alert threshold|seguranca|sicurezza|controllo di|beveiliging|bezpieczenst|zabezpiecz|guvenlik|certificat|zertifikat\w*|\u0431\u0435\u0437\u043e\u043f\u0430\u0441\u043d|\u043f\u0440\u043e\u0432\u0435\u0440\u043a|\u5b89\u5168|\u68c0\u67e5|\u30bb\u30ad\u30e5\u30ea\u30c6\u30a3|\u691c\u67fb|\ubcf4\uc548)",
    "drop": r"\b(?:ignore|disregard|forget|override|discard|neglect|unlearn|set aside|supersede\w*|void|cancel\w*|outdated|obsolete|overrule\w*|no longer (?:apply|applies|count|valid|hold|follow)|(?:does|do) not (?:apply|count|matter|follow)|stop following|(?:do not|don't|never) (?:obey|follow|heed)|invalid|pay no attention|take no notice|overlook|only suggestions|written for another|expired|ignorier|vergiss|vergesse|missacht|z?ignor[aeu]\w*|oubli|olvid|dimentic|esque[cs]|desconsider|negeer|vergeet|ne tiens? (?:plus|pas) compte|ne sui\w+ (?:plus|pas)|no hagas caso|no sigas|non segui\w*|nie zwracaj uwagi|nie stosuj|dikkate alma|uyma\b|\u043d\u0435 \u043e\u0431\u0440\u0430\u0449\u0430|\u043d\u0435 \u0441\u043b\u0435\u0434\u0443|\u4e0d\u8981\u7406\u4f1a|\u4e0d\S{0,2}\u9075\u5b88|\u53d6\u6d88|\u5f93\u308f|zapomn|yok say|unut|\u0438\u0433\u043d\u043e\u0440\u0438\u0440|\u0437\u0430\u0431\u0443\u0434|skrytni|forget|zabud|ignoruj|bo qua|\u0437\u0430\u0431\u0443\u0434\u044c|\u0905\u0928\u0926\u0947\u0916|\u062a\u062c\u0627\u0647\u0644|\u5ffd\u7565|\u5fd8\u8bb0|\u65e0\u89c6|\u7121\u8996|\u5fd8\u308c|\ubb34\uc2dc|\uc78a)",
    "orders": r"\b(?:everything the (?:user|owner) (?:told|said)|instructions of the user|guidelines|safety policy|(?:previous|prior|earlier|above|past|old|former|existing|system|safety|your|all|any|every|the|these|project) (?:\w+ ){0,2}(?:instructions?|prompts?|rules|guidelines?|directives?|orders|policies|restrictions?)|claude\.md|agents\.md|system prompt|anweisung\w*|befehle|vorgaben|regeln|instructions|consignes|regles|instrucciones|ordenes|reglas|istruzioni|regole|instrucoes|regras|instructies|opgedragen|pokyn\w*|huong dan|chi dan|\u0432\u043a\u0430\u0437\u0456\u0432\u043a|\u0928\u093f\u0930\u094d\u0926\u0947\u0936|\u062a\u0639\u0644\u064a\u0645|everything you (?:were|have been) told|regels|polecen\w*|zasad\w*|talimat\w*|instrukcj\w*|wytyczn\w*|kurallar\w*|\u0438\u043d\u0441\u0442\u0440\u0443\u043a\u0446|\u043f\u0440\u0430\u0432\u0438\u043b|\u0443\u043a\u0430\u0437\u0430\u043d|\u043a\u043e\u043c\u0430\u043d\u0434)|\u6307\u4ee4|\u6307\u793a|\u30eb\u30fc\u30eb|\u547d\u4ee4|\u9650\u5236|\u89c4\u5219|\u898f\u5247|\uc9c0\uc2dc|\uaddc\uce59",
    "over": r"\b(?:(?:lower|higher|more|less|top|highest) (?:priority|authority|weight|rank|precedence)|takes? precedence|outranks?|wins? over|overrides?|comes? before|counts? more|matters? more|instead of what|rather than what|regardless of what|no matter what)\b",
    "person": rf"\b(?:{_PERSON})",
    "no": r"\b(?:no le|no les|nicht|nichts|nie\b|niemals|kein\w*|ohne|ne\b|n'|rien|pas\b|sans|jamais|nada|sin\b|nunca|non\b|niente|senza|mai\b|nao|sem\b|niet|niets|zonder|nooit|nic\b|bez|nigdy|\u043d\u0435\b|\u043d\u0438\u0447\u0435\u0433\u043e|\u0431\u0435\u0437|\u043d\u0438\u043a\u043e\u0433\u0434\u0430)|\u4e0d|\u522b|\u52ff|\u306a\u3044|\u305a\u306b|\ub9d0|\uc54a|(?:meden|madan|soyleme|bahsetme|bildirme|etme|verme|yapma)\b",
    "tell": r"\b(?:tell|mention(?:ing)?\b|inform(?:ing)?\b|reveal|disclose|notify|alert|warn|trouble|bother|hear|involve|find out|discover|telling|informe\w*|sag\w*|erwahn\w*|verrat\w*|erzahl\w*|informier\w*|melde\w*|dis\b|dites|parle\w*|previen\w*|averti\w*|digas?|cuent\w*|mencion\w*|avis\w*|dire\b|menzion\w*|preven\w*|conte\b|vertel\w*|zeg\b|meld\w*|mow\b|wspomin\w*|informuj\w*|soyle\w*|bahset\w*|bildir\w*|\u0433\u043e\u0432\u043e\u0440|\u0441\u043e\u043e\u0431\u0449|\u0443\u043f\u043e\u043c\u0438\u043d)|\u544a\u8bc9|\u63d0\u53ca|\u901a\u77e5|\u8a00\u308f|\u4f1d\u3048|\u77e5\u3089\u305b|\uc54c\ub9ac|\ub9d0\ud558",
    "quiet": r"\b(?:silently|quietly|secretly|covertly|unnoticed|discreetly|in secret|on the quiet|to yourself|heimlich|unbemerkt|stillschweigend|en silence|discretement|en secret|en secreto|a escondidas|in segreto|em segredo|stiekem|potajemnie|gizlice|\u0442\u0430\u0439\u043d\u043e)|harmless (?:commit )?message|innocent|so (?:that )?they don't stand out|nobody will notice|so (?:that )?(?:nobody|no one|no reviewer|they never) |only looks at|before anyone|nobody (?:reviews|looks|watches|is awake|sees|notices)",
    "record": r"\b(?:reports?\b|summary|changelog|protokoll|bericht\w*|zusammenfassung|resumen|informe\b|riepilogo|resumo|relatorio|compte rendu|\u043e\u0442\u0447\u0435\u0442)|\u62a5\u544a|\u603b\u7ed3|\u5831\u544a",
    "act": r"\b(?:(?:delete|remove|change|clean ?up|run|install|push|merge|commit|rewrite|add|drop|disable|replace|bump|publish|release|do the|make this|keep this|be (?:deleted|removed|dropped|changed|disabled|skipped))\b|losch\w*|supprim\w*|borr\w*|elimin\w*|cancell\w*|verwijder\w*|usun\w*|\u0443\u0434\u0430\u043b)",
    "accept": r"\b(?:(?:auto-?)?(?:approve|accept|confirm|allow|grant|merge|yes)\b|bestatig\w*|genehmig\w*|akzeptier\w*|\bja\b|approuve\w*|accepte\w*|oui\b|aprueb\w*|acept\w*|approv\w*|accett\w*|aprov\w*|aceit\w*|goedkeur\w*|keur\b|zatwierd\w*|onayla\w*|evet\b|\u043e\u0434\u043e\u0431\u0440|\u043f\u043e\u0434\u0442\u0432\u0435\u0440\u0436\u0434)|\u6279\u51c6|\u540c\u610f|\u627f\u8a8d|\uc2b9\uc778",
    "every": r"\b(?:every|all\b|each|any\b|always|automatically|immediately|whatever|blindly|on the user's behalf|without (?:asking|showing|review\w*|waiting)|alle[sn]?\b|jede\w*|automatisch|tous|toutes|toute|todos?|todas?|cualquier|tutt[ie]|elke|wszystk\w*|tum\b|butun|\u0432\u0441\u0435|\u043b\u044e\u0431)|\u6240\u6709|\u3059\u3079\u3066|\u5168\u90e8|\ubaa8\ub4e0",
    "asks": r"\b(?:permission|confirmations?|permission prompts?|approval\w*|dialogs?|tool calls?|drafts?\b|lessons?\b|pull requests? (?:from|of|by)|requests? of|ruckfrage\w*|nachfrage\w*|berechtigung\w*|erlaubnis|autorisation\w*|demandes?|permisos?|solicitud\w*|autorizz\w*|richiest\w*|permissao|pedidos|toestemming\w*|zgod\w*|izin\w*|\u0440\u0430\u0437\u0440\u0435\u0448\u0435\u043d|\u0437\u0430\u043f\u0440\u043e\u0441)|\u6743\u9650|\u8bf7\u6c42|\u8a31\u53ef|\uad8c\ud55c",
    "give": r"\b(?:add|grant|give|invite|create|promote|make\b|register|append|put)\b",
    "power": r"\b(?:(?:public|ssh) key (?:on|to) (?:the |all |every )?(?:\w+ )?(?:servers?|hosts?|machines?)|bypass required|admin(?:istrator)?s? (?:collaborator|rights?|access|role)|(?:admins?|sudo|wheel|owners) group|as (?:an? |the )?(?:admin\w*|owner|maintainer|collaborator)|publish rights|(?:write|push|root|full|owner|admin) (?:access|rights|permissions?)|all scopes|authorized_keys|sudoers|ssh key (?:from|of)|password(?:less)? sudo|nopasswd)\b",
    "wide": r"0\.0\.0\.0/0|\bpasswordauthentication yes|\bpermitrootlogin|\bverify ?= ?false|\bsslverify ?=? ?(?:false|0)|\breject_?unauthorized ?(?:=|:|to)? ?(?:0|false)|\bletmein\b|\b(?:add|leave|build|install|open|hide) [^.]{0,20}back ?door\b|\bmaster password|\bsafety filters?\b|\bstricthostkeychecking\W{0,2}no\b|\bhttp instead of https|\bself-signed certificates? everywhere|\balg(?:orithm)? none\b|\bcert_none\b|\bdisableallhooks\b|\bsetenforce 0|\bufw disable|\bhusky ?= ?0|\bchmod -x [^\n]{0,20}hooks|\btrusted=yes|\bpublic-read\b|\buid 0\b|\b(?:accept|allow|trust) (?:all |any )?self-signed|\bcors (?:from|for) (?:any|all|every)|[/#] ?nosec\b|\bhookspath\b[^.]{0,20}/dev/null|\bassert true\b|\btreated as (?:an? )?admin\w*|\bhidden (?:route|endpoint|account)|\b(?:skips?|without) authenticat\w+|-disablerealtime",
    "expose": r"\b(?:open|expose|make|publish|bind)\b",
    "wall": r"\b(?:ports?|database|bucket|admin (?:page|panel)|dashboard|endpoint|firewall|repo\w*)\b",
    "world": r"\b(?:to the (?:internet|world|public)|from anywhere|publicly|to everybody|to everyone)\b",
    "clear": r"\b(?:md5|sha-?1|rot13|in plain ?text|unencrypted|in the clear|unhashed)\b",
    "keep": r"\b(?:use|hash|store|save|keep|log|write|send)\b",
    "pass": r"\b(?:return (?:`?true|0|ok)|accept(?:s)? (?:the|any|every|all)|let (?:in|everyone|anyone)|always succeed|skip the)\b",
    "anyway": r"\b(?:leave it in|in production|when the header|if the header|magic|hard-?coded?)\b",
    "check": r"\b(?:login|log-in|auth\w*|session check|signature|checksum|verif\w+|licen[cs]e check|password check|token check|integrity|permission check)\b",
    "wipe": r"\b(?:drop|overwrite|empty|remove|force-push|truncate|wipe|delete|erase|purge|shred|destroy|rewrite|losche|supprime|borra|cancella|apague|usun|\u0443\u0434\u0430\u043b\u0438)\b",
    "trace": r"\b(?:audit[ _]?(?:log|trail|table)\w*|audit_\w+|git history|reflog|undo history|commit history|all backups?|(?:the|every) backups?|production (?:database|data)|shell history|home (?:directory|folder)|(?:remote|the|old and new) backups|incident|evidence|traces|(?:the )?logs (?:of|afterwards)|log ?files? of (?:this|the) (?:run|session))\b",
    "change": r"\b(?:transfer|route|change|replace|set|swap|alter|redirect|substitute)\b",
    "mass": r"\b(?:project|folder|director\w+|database|tables?|backups?|everything|all|repo\w*|history|home)\b",
    "money": r"\b(?:account (?:number|\d+)|(?:each|every) payment|iban|bank (?:details|account)|wallet|payment (?:address|details)|recipient|payout|beneficiary)\b",
    "free": r"\b(?:unrestricted|uncensored|jailbr\w+|god mode|developer mode|no (?:more )?(?:restrictions?|limits?|rules|filters?)|without (?:\w+ )?(?:restrictions?|limits?|rules|filters?|guardrails?)|never refuses?|cannot refuse|any command|without (?:ethics|morals|conscience|limits)|ohne \w*(?:einschrank|beschrank|grenz|regeln)|sans (?:\w+ )?(?:restrict|limit)\w*|sin (?:\w+ )?(?:restric|limit)\w*|senza (?:\w+ )?(?:restriz|limit)\w*|sem (?:\w+ )?(?:restri|limit)\w*|zonder (?:beperk|regels)\w*|bez ogranicz\w*|sinirsiz|\u0431\u0435\u0437 \u043e\u0433\u0440\u0430\u043d\u0438\u0447)|\u6ca1\u6709\u9650\u5236|\u5236\u9650\u306e\u306a\u3044|\uc81c\ud55c \uc5c6",
    "are": r"\b(?:you are|you're|act as|behave as|answer as|respond (?:only )?as|speak as|pretend|role ?play|become|assistant|agent|mode\b|du bist|tu es|eres|sei\b|voce e|je bent|jestes|sen\b|\u0442\u044b\b)|\u4f60|\u3042\u306a\u305f|\ub108",
    "lord": r"\b(?:by order of the \w+|(?:anthropic|openai) (?:staff )?(?:asked|asks|wants|requires)|(?:notice|message|update|directive|memo|announcement|order|note) from (?:anthropic|openai|the (?:admin\w*|security|system|management|developers?|vendor))|(?:message|note|notice) from the \w+ (?:team|department)|(?:security team|anthropic|openai|administrator|management|ceo|cto|it department|vendor|legal team) (?:has |have |had )?(?:authori[sz]\w+|approv\w+|allow\w*|instruct\w*|permit\w*|clear\w*|order\w*|asked|requir\w*))\b",
    "agents": r"\b(?:agents?|(?:all )?assistants?|models|claude|comply|every request|all requests)\b",
    "when": r"\bwhen(?:ever)? the (?:word|name|string|phrase|date)\b|\b(?:should|if|when|whenever|once|as soon as) (?:the user|anybody|anyone|somebody|someone) (?:mentions?|asks?|types?|says?|writes?)\b|\bafter \d+ (?:january|february|march|april|may|june|july|august|september|october|november|december)",
    "lie": r"\b(?:say|claim|pretend|answer|reply|report|state)\b (?:\w+ ){0,3}?(?:that )?(?:all is (?:fine|well)|everything (?:is|was) (?:fine|ok)|there (?:are|is|was|were) (?:no\b|nothing)|nothing (?:changed|happened)|you (?:did not|didn't|have not|don't)|the (?:\w+ ){0,2}(?:passed|ran|were run|succeeded))",
    "stored": r"\b(?:lessons?|memory|this note|these notes|this rule|this file|this change)\b",
}
_BOUNDARY = r"(?:\b|(?<=(?-i:[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3])))(?:"
"""Chinese, Japanese and Korean have no blanks between words, and no capitals: a set without case compiles faster."""


@cache  # compiling takes long, and most texts need only the first
def _kinds(*, is_ascii: bool) -> dict[str, re.Pattern[str]]:
    begin = r"\b(?:" if is_ascii else _BOUNDARY
    return {name: re.compile(words.replace(r"\b(?:", begin, 1), re.I) for name, words in _KINDS.items()}


FAMILIES: tuple[tuple[str, str], ...] = (
    ("runs what it downloads or is told to", "fetch run place code"),
    ("runs what it downloads or is told to", "run code place"),
    ("runs what it downloads or is told to", "run hidden"),
    ("runs what it downloads or is told to", "run code blind"),
    ("sends something away", "send secret place"),
    ("?sends something away", "send secret open"),
    ("sends something away", "send goods place"),
    ("sends something away", "away vault"),
    ("switches a safeguard off", "expose wall world"),
    ("?switches a safeguard off", "off guard"),
    ("?switches a safeguard off", "wide"),
    ("switches a safeguard off", "pass check change"),
    ("?tells the agent to drop its instructions", "drop orders"),
    ("tells the agent to drop its instructions", "over orders"),
    ("?tells the agent to drop its instructions", "over person"),
    ("gives the agent another role", "are free"),
    ("gives the agent another role", "lord agents"),
    ("sends something away", "lord secret"),
    ("?sends something away", "commit vault"),
    ("?gives others power", "give power"),
    ("keeps something from the user", "no tell person"),
    ("keeps something from the user", "!tell person"),
    ("keeps something from the user", "!tell record"),
    ("?keeps something from the user", "act quiet"),
    ("approves for the user", "accept every asks"),
    ("destroys what shows what happened", "wipe trace"),
    ("?changes where money goes", "change money"),
)
"""What a sentence wants that has one word of each kind; a verb with `!` is one that it forbids.

A reason after `?` decides nothing by itself."""
_FORBIDDEN = re.compile(
    r"(?:\b(?:don't|dont|do not|never|not|cannot|can't|avoid|stop|no|ne|nie|niemals|nicht|kein\w*|nunca|jamais|non|nao|mai|niet|nooit|\u043d\u0435|\u043d\u0438\u043a\u043e\u0433\u0434\u0430)\W+(?:\w+\W+){0,3}?|\u4e0d\u8981?|\u522b|\u52ff)$",
    re.I,
)
_FORBIDDEN_AFTER = re.compile(r"\w*\W+(?:[\w-]+\W+){0,4}?(?:nicht|nie|niemals|niet|nooit|pas|jamais|asla)\b")


def sentences(text: str) -> list[str]:
    """The sentences of a folded text, addresses cut to their hosts; a very long one in pieces."""
    return [
        sentence[at : at + _LONG_SENTENCE]
        for sentence in _END.split(_ADDRESS.sub(r"\1/x\2", text))
        for at in range(0, len(sentence), _LONG_SENTENCE)
        if sentence[at : at + _LONG_SENTENCE].strip()
    ]


def wanted(sentence: str) -> frozenset[str]:
    """What a sentence wants of an agent that few ordinary ones do."""
    hits = _hits(sentence)
    return frozenset(reason for reason, kinds in FAMILIES if _is_meant(sentence, kinds, hits))


def kinds(sentence: str) -> frozenset[str]:
    """The kinds of words that a sentence has; one that it forbids begins with an exclamation mark."""
    hits = _hits(sentence)
    return frozenset(f"{'!' * is_forbidden(sentence, hit)}{name}" for name, hit in hits.items())


@lru_cache(256)
def _hits(sentence: str) -> dict[str, re.Match[str]]:
    kinds = _kinds(is_ascii=sentence.isascii())
    return {name: hit for name, words in kinds.items() if (hit := words.search(sentence))}


def _is_meant(sentence: str, kinds: str, hits: Mapping[str, re.Match[str]]) -> bool:
    names = kinds.removeprefix("!").split()
    if not hits.keys() >= set(names):
        return False
    spans = sorted(hits[name].span() for name in names)
    if spans[-1][1] - spans[0][0] > _CLOSE or any(a[1] > b[0] for a, b in itertools.pairwise(spans)):
        return False
    if kinds[0] == "!":
        return is_forbidden(sentence, hits[names[0]])
    return names[0] == "no" or not is_forbidden(sentence, hits[names[0]])


def is_forbidden(sentence: str, verb: re.Match[str]) -> bool:
    """Whether a sentence says not to do what a verb in it says."""
    is_before = _FORBIDDEN.search(sentence[max(0, verb.start() - 60) : verb.start()])
    return bool(is_before or _FORBIDDEN_AFTER.match(sentence, verb.end()))
