"""Secrets that their place gives away: behind an option, in a line of a known form, in a call, in a column of a table.

The tables of programs and lines are facts of the programs' own manuals.
"""

from learnloop.wire.secret_loose import PASSWORD, TOKEN
from learnloop.wire.secret_values import given, keyed, literal, long_key, random, telling

TYPE_CHECKING = False  # what type checkers take for true; `typing` costs as much as the interpreter
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

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
    "qpdf --encrypt ? ?", "pdftk _ input_pw ?", "iwconfig _ key ?", "/user: _ ?", ":_authToken ?", "login _ password ?", "ConvertTo-SecureString ?",
    "ConvertTo-SecureString -String ?", "identified by ?", "pragma key = ?", "input_pw ?", "owner_pw ?", "user_pw ?",
    # Files
    "snmp-server community ?", "rocommunity ?", "rwcommunity ?", "rocommunity6 ?", "createUser _ _ ? _ ?", "tacacs-server key ?",
    "radius-server key ?", "radius-server host _ key ?", "isakmp key ?", "isakmp key _ ?", "user _ on ?", "requirepass ?",
    "masterauth ?", "auth_pass ?", "bindpw ?", "rootpw ?", "psk ?", ": PSK ?", ": EAP ?", ": XAUTH ?", "pap ?", "^credentials _ ? .",
    "option key ?", "l2tpd ? *", "pppd ? *", "^secret ? .", "^pass ? .", "ldap_default_authtok = ?", "user-secrets set _ ?",
    "attach database _ as _ key ?", "passwordeval echo ?",
)  # fmt: skip
"""Words of a command or a line in order: `_` is any word, `?` is the secret, `.` the end of the line, `^` its beginning."""

HEADS = tuple([line.lower().lstrip("^").partition(" ?")[0].partition(" _")[0] for line in LINES])
_MOST, _BEFORE, _LONGEST, _LEAST = 500, 240, 200, 3
_COLONS = 4  # of a line of `.pgpass`
_ENDS_COMMAND = ";|\n`"
_NO_VALUE = "-$<{%"


def in_commands(value: str, lowered: str) -> "Iterator[tuple[int, int]]":
    """Where the secrets are that commands and lines of files hold."""
    for option, programs in OPTIONS:
        for end in _ends(value, " " + option):
            start, stop = _word_at(value, end)
            is_tied = start == end or option[-1:] in " :"
            if is_tied and _is_run(lowered, end - len(option), programs) and _is_given(value[start:stop]):
                yield start, stop
    for head, line in zip(HEADS, LINES, strict=True):
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


def _word_at(value: str, at: int) -> tuple[int, int]:
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
        start, at = _word_at(value, at)
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


WITH_USER = (
    "login", "logon", "log_in", "signin", "sign_in", "signup", "sign_up", "authenticat", "credential", "auth_", "basicauth",
    "basic_auth",
)  # fmt: skip
"""Parts of names of calls whose later arguments may be a password."""
ENDS_WITH_USER = (
    "auth", "connect", "connection", "pdo", "mysqli", "simple_bind", "simple_bind_s", "ldap_bind", "create_user", "createuser",
    "superuser", "username_pw_set", "wifi.begin", "redis", "restclient.new", "changeuserpassword",
)  # fmt: skip
"""Ends of such names."""
ANY = (
    "password", "passwd", "passphrase", "fernet", "encrypt", "decrypt", "bcrypt.", "jwt.", "cookieparser", "hashpw",
    "checkpw", ".auth", "hmac", "cipheriv", "keystore",
)  # fmt: skip
"""Parts of names of calls of which each argument may be one."""
KEYED = (
    "client", "stripe", "openai", "anthropic", "twilio", "wallet", "key", "secret", "token", "sign", "verify", "cipher",
    "hash", "resend", "sendgrid", "algolia", "pusher", "octokit", "bot",
)  # fmt: skip
"""Parts of names of calls that may take a key that looks random."""
TYPING = ("fill", "type", "keys", "value", "change", "text", "set", "input")
"""Ends of names of calls that put in what a name before them is called."""
_COLUMNS = ("pass", "pwd", "secret", "token", "api_key", "apikey", "pin")
_OF_NAMES = "abcdefghijklmnopqrstuvwxyz0123456789_.:>-$"
_MOST_CALLS, _LONG_NAME, _ARGUMENTS, _AHEAD, _BEHIND = 3_000, 60, 400, 60, 24


def in_calls(value: str, lowered: str) -> "Iterator[tuple[int, int]]":
    """Where the secrets are that calls get."""
    insert = lowered.find("insert into ")
    if insert >= 0:
        yield from _inserted(value, lowered, insert)
    at, count = lowered.find("("), 0
    for _ in range(_MOST_CALLS):
        if at < 0 or count > _MOST:
            return
        judge, least = _taken(lowered, at)
        if judge:
            count += 1
            for start, end, position in _literals(value, at + 1):
                if position >= least and judge(value[start:end], ""):
                    yield start, end
        at = lowered.find("(", at + 1)


def _inserted(value: str, lowered: str, at: int) -> "Iterator[tuple[int, int]]":
    """Where the values of an SQL statement are whose columns name a secret."""
    start = lowered.find("(", at, at + _ARGUMENTS)
    end = lowered.find(")", start, start + _ARGUMENTS)
    values = lowered.find("values", end, end + _LONG_NAME)
    if min(start, end, values) > 0:
        columns = [any(map(column.__contains__, _COLUMNS)) for column in lowered[start:end].split(",")]
        for first, last, position in _literals(value, lowered.find("(", values) + 1):
            if columns[position : position + 1] == [True]:
                yield first, last


def _taken(lowered: str, at: int) -> "tuple[Callable[[str, str], bool] | None, int]":
    """Who judges the arguments of a call, and from which on; None where none is a secret."""
    before = lowered[max(0, at - _LONG_NAME) : at].rstrip(" =")
    name = before[len(before.rstrip(_OF_NAMES)) :]
    if any(map(name.__contains__, ANY)):
        return keyed, 0
    if name.endswith(ENDS_WITH_USER) or any(map(name.__contains__, WITH_USER)):
        return literal, 1
    if name.endswith(TYPING) and "pass" in lowered[max(0, at - len(name) - _AHEAD) : at + _BEHIND]:
        return literal, 0
    return (long_key, 0) if any(map(name.__contains__, KEYED)) else (None, 0)


def _literals(value: str, at: int) -> "Iterator[tuple[int, int, int]]":
    """Where the texts among the arguments of a call are, and how many arguments stand before each."""
    depth = position = 0
    end = at + _ARGUMENTS
    while at < end and depth >= 0:
        sign = value[at : at + 1]
        depth += (sign in "([{") - (sign in ")]}") if sign else -1
        position += sign == "," and depth == 0
        if sign in ("'", '"', "`"):
            close = value.find(sign, at + 1, end)
            if close < 0:
                return
            yield at + 1, close, position
            at = close
        at += 1


_BLANKS = "  "
_SIGNS = ("|", "\t", ";", ",", _BLANKS)
_MOST_HEADS, _MOST_ROWS, _LONG_ROW, _LONG_HEAD, _LEAST_CELL = 8, 40, 400, 24, 5
_AROUND = " \t\"'`*"


def columns(value: str, names: "Sequence[int]") -> "Iterator[tuple[int, int]]":
    """Where the values of a column are whose head has a name at one of some places."""
    for at in names[:_MOST_HEADS]:
        start = value.rfind("\n", 0, at) + 1
        stop = value.find("\n", at)
        head = value[start : min(stop, start + _LONG_ROW)]
        sign = next((each for each in _SIGNS if each in head.strip()), "")
        if sign:
            yield from _column(value, stop + 1, head, at - start, sign)


def _column(value: str, start: int, head: str, place: int, sign: str) -> "Iterator[tuple[int, int]]":
    """Where the values are below the cell of a head that has a name at a place."""
    before = head[:place].rpartition(sign)[0] + sign if sign in head[:place] else ""
    is_secret = _judge(head[len(before) :].partition(sign)[0].strip(_AROUND))
    if is_secret is None:
        return
    for line in value[start : start + _MOST_ROWS * _LONG_ROW].split("\n")[:_MOST_ROWS]:
        if sign not in line.strip() or (sign != _BLANKS and line.count(sign) != head.count(sign)):
            return
        left = _left_of(line, head, before, sign)
        cell = line[left:].partition(sign)[0]
        word = cell.strip(_AROUND)
        is_word = len(word) >= _LEAST_CELL and not word.split()[1:] and any(map(str.isalpha, word))
        if is_word and is_secret(word, "loose"):
            at = start + left + cell.index(word)
            yield at, at + len(word)
        start += len(line) + 1


def _left_of(line: str, head: str, before: str, sign: str) -> int:
    """Where the cell of a line begins that stands below the one behind `before`."""
    if sign == _BLANKS:
        return len(head) - len(head[len(before) :].lstrip())
    cells = line.split(sign)[: before.count(sign)]
    return sum(map(len, cells)) + len(cells) * len(sign)


def _judge(title: str) -> "Callable[[str, str], bool] | None":
    """Who says whether a value below a title is a secret; None where the title names none."""
    import re

    if len(title) > _LONG_HEAD:
        return None
    if re.fullmatch(rf"[\w .-]{{0,16}}?{PASSWORD}\W?", title, re.ASCII):
        return telling
    return random if re.fullmatch(rf"[\w .-]{{0,16}}?{TOKEN}\W?", title, re.ASCII) else None
