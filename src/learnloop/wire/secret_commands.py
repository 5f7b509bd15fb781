"""Secrets that a program takes behind an option, or as a word of its command or of a line of its file.

Both tables are facts of the programs' own manuals.
"""

from learnloop.wire.secret_values import given, literal

TYPE_CHECKING = False  # what type checkers take for true; `typing` costs as much as the interpreter
if TYPE_CHECKING:
    from collections.abc import Iterator

_LDAP = "ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldappasswd ldapmodrdn ldapcompare"
_SNMP = "snmpwalk snmpget snmpset snmpbulkwalk snmptrap"
_PDF = "pdftotext pdfinfo pdftoppm pdfimages"
OPTIONS = (
    ("-p", "mysql mysqldump mysqladmin mysqlimport mysqlsh mariadb mariadb-dump mariadb-admin sshpass 7z 7za rar unrar"),
    ("-hp", "rar unrar"),
    ("-p ", "sshpass docker+login podman+login registry+login oc+login az cqlsh cypher-shell mongo mongosh mongodump "
     "mongorestore mongoexport mongoimport rdesktop psexec paexec evil-winrm crackmapexec netexec nxc wmiexec ncftpput "
     "ncftpget ncftp twine nuget altool notarytool certutil rabbitmqadmin security useradd usermod doveadm sqoop beeline"),
    ("-P ", "sqlcmd bcp isql osql tsql mosquitto_pub mosquitto_sub zip unzip zipcloak ipmitool impala-shell ssh-keygen sqoop"),
    ("-w ", f"beeline security {_LDAP}"), ("-s ", "ldappasswd"), ("-a ", "redis-cli valkey-cli keydb-cli ldappasswd"),
    ("-k ", "openssl"), ("-K ", "openssl"), ("-N ", "ssh-keygen"), ("-c ", _SNMP), ("-A ", _SNMP), ("-X ", _SNMP),
    ("-upw ", _PDF), ("-opw ", _PDF), ("/p:", "xfreerdp wfreerdp"), ("/p ", "signtool schtasks"), ("/rp ", "schtasks"),
    ("--value ", "put-parameter az+secret secret+set secret+create"), ("--body ", "secret+set secret+create"),
    ("-b ", "secret+set"), ("AUTH ", "redis-cli valkey-cli"),
)  # fmt: skip
"""Options, and the programs in which a secret stands behind one; without a blank it is a part of the same word."""

LINES = (
    # Commands
    "net user _ ?", "net use _ _ ?", "net use _ ?", "rclone obscure ?", "wpa_passphrase _ ?", "vault login ?", "isql _ _ ?",
    "isql -v _ _ ?", "htpasswd -nb _ ?", "htpasswd -b _ _ ?", "htpasswd -cb _ _ ?", "htpasswd -bc _ _ ?", "htpasswd -nbb _ ?", "htpasswd -nbB _ ?",
    "mc alias set _ _ _ ?", "mc config host add _ _ _ ?", "rabbitmqctl add_user _ ?", "rabbitmqctl change_password _ ?",
    "qpdf --encrypt ? ?", "pdftk _ input_pw ?", "iwconfig _ key ?", "/user:_ ?", ":_authToken ?", "login _ password ?", "ConvertTo-SecureString ?",
    "ConvertTo-SecureString -String ?", "identified by ?", "pragma key = ?", "input_pw ?", "owner_pw ?", "user_pw ?",
    # Files
    "snmp-server community ?", "rocommunity ?", "rwcommunity ?", "rocommunity6 ?", "createUser _ _ ? _ ?", "tacacs-server key ?",
    "radius-server key ?", "radius-server host _ key ?", "isakmp key ?", "isakmp key _ ?", "user _ on ?", "requirepass ?",
    "masterauth ?", "auth_pass ?", "bindpw ?", "rootpw ?", "psk ?", ": PSK ?", ": EAP ?", ": XAUTH ?", "pap ?", "^credentials _ ? .",
    "option key ?", "l2tpd ? *", "pppd ? *", "^secret ? .", "^pass ? .", "ldap_default_authtok = ?", "user-secrets set _ ?",
    "attach database _ as _ key ?", "passwordeval echo ?",
)  # fmt: skip
"""Words of a command or a line in order: `_` is any word, `?` is the secret, `.` the end of the line, `^` its beginning."""

_HEADS = tuple([line.lower().lstrip("^").partition(" ?")[0].partition(" _")[0] for line in LINES])
_MOST, _BEFORE, _LONGEST, _LEAST = 500, 240, 200, 3
_COLONS = 4  # of a line of `.pgpass`
_ENDS_COMMAND = ";|\n`"
_NO_VALUE = "-$<{%"


def spans(value: str, lowered: str) -> "Iterator[tuple[int, int]]":
    """Where the secrets are that commands and lines of files hold."""
    for option, programs in OPTIONS:
        for end in _ends(value, " " + option):
            start, stop = _word(value, end)
            if _is_run(lowered, end - len(option), programs) and _is_given(value[start:stop]):
                yield start, stop
    for head, line in zip(_HEADS, LINES, strict=True):
        for end in _ends(lowered, head):
            if _is_word(lowered, end - len(head), end, line[0] == "^"):
                yield from _filled(value, end, line.lstrip("^")[len(head) :].split())
    if lowered.count(":") >= _COLONS:
        yield from _fields(value)


def _is_given(word: str) -> bool:
    """Whether a word behind an option is a value that somebody typed."""
    return len(word) >= _LEAST and word[0] not in _NO_VALUE and given(word, "")


def _ends(text: str, sign: str) -> "Iterator[int]":
    """Where a sign ends in a text, so many times at most."""
    at = text.find(sign)
    for _ in range(_MOST):
        if at < 0:
            return
        yield at + len(sign)
        at = text.find(sign, at + len(sign))


def _is_run(lowered: str, at: int, programs: str) -> bool:
    """Whether the command that a place is in names one of some programs."""
    command = lowered[max(0, at - _BEFORE) : at].replace("\\\n", " ")
    for sign in _ENDS_COMMAND:
        command = command.rpartition(sign)[2]
    words = {_program(word) for word in command.split()}
    return any(words.issuperset(program.split("+")) for program in programs.split())


def _program(word: str) -> str:
    """The name of a program without its folder and ending."""
    name = word.strip("\"'($").rpartition("/")[2].rpartition("\\")[2]
    return name.removesuffix(".exe").removesuffix(".py")


def _word(value: str, at: int) -> tuple[int, int]:
    """Where a word begins and ends behind blanks, without its quotes."""
    while value[at : at + 1] in (" ", "\t", "=", ">"):
        at += 1
    chunk = value[at : at + _LONGEST].partition("\n")[0]
    if chunk[:1] in ("'", '"'):
        end = chunk.find(chunk[0], 1)
        return at + 1, at + (end if end > 0 else 1)
    word = (chunk.split(maxsplit=1) or [""])[0]
    return at, at + len(word.rstrip(";,)\"'`"))


def _is_word(lowered: str, at: int, end: int, is_first: bool) -> bool:
    """Whether words stand alone at a place, with something behind them in the same line."""
    if is_first and lowered[max(0, at - 40) : at].rpartition("\n")[2].strip():
        return False
    before = lowered[max(0, at - 1) : at]
    is_open = lowered[end - 1] == ":" or lowered[end : end + 1] in (" ", "\t", "=", ":")
    return is_open and not before.isalnum() and before not in ("_", "/", ".")


def _filled(value: str, at: int, parts: "list[str]") -> "list[tuple[int, int]]":
    """Where the secrets of a line are, whose words have to be some parts."""
    places = []
    for part in parts:
        start, at = _word(value, at)
        word = value[start:at]
        if part == "?" and literal(word, ""):
            places.append((start, at))
        elif bool(word) is (part == ".") or part not in ("_", ".", word.lower()):
            return []
        at += value[at : at + 1] in ("'", '"')
    return places


def _fields(value: str) -> "Iterator[tuple[int, int]]":
    """Where the last fields of lines of `.pgpass` are."""
    at = 0
    for line in value.split("\n"):
        fields = line.split(":") if line.count(":") == _COLONS else [""]
        if all(fields) and (fields[1] == "*" or fields[1].isdigit()) and literal(fields[-1], ""):
            yield at + len(line) - len(fields[-1]), at + len(line)
        at += len(line) + 1
