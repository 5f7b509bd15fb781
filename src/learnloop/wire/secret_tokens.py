"""Rows of keys and tokens that a mark of their own gives away. No row needs `re`.

A row is `(name, marks, alphabet, least)`: a mark, followed by at least so many characters of the alphabet that
look random, is a secret of that name. Examples are in `tests/data/secret_examples.json`.
"""

_DIGITS = "0123456789"
_LOWER, _UPPER = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
HEX = _DIGITS + "abcdefABCDEF"
CAPITALS = _UPPER + _DIGITS
ALNUM = CAPITALS + _LOWER
WORD = ALNUM + "_-"
DOTTED = WORD + "."
BASE64 = DOTTED + "+/=~"
PATH = BASE64 + "%?&@:"

ROWS: "tuple[tuple[str, tuple[str, ...], str, int], ...]" = (
    # Models and their tools
    ("API key", ("sk-",), WORD, 20),
    ("API key", ("sk_",), ALNUM, 24),
    ("API key", ("xai-", "gsk_", "pplx-", "nvapi-", "csk-"), WORD, 32),
    ("API key", ("pcsk_", "lsv2_pt_", "lsv2_sk_", "ls__", "jina_"), WORD, 30),
    ("API key", ("tvly-", "tgp_v1_", "fw_", "r8_"), WORD, 22),
    ("API key", ("pa-", "AQ.Ab", "e2b_", "phx_", "wandb_v1_"), WORD, 36),
    ("API key", ("fc-", "key_"), HEX, 32),
    ("API key", ("ABSK", "bedrock-api-key-"), BASE64, 60),
    ("API key", ("hf_", "api_org_"), ALNUM, 30),
    # Clouds and hosting
    ("AWS key", ("AKIA", "ASIA", "ABIA", "ACCA"), CAPITALS, 16),
    ("Google key", ("AIza",), WORD, 30),
    ("Google key", ("ya29.", "GOCSPX-", "1//0"), WORD, 20),
    ("Alibaba key", ("LTAI",), ALNUM, 16),
    ("Tencent key", ("AKID",), ALNUM, 30),
    ("DigitalOcean token", ("dop_v1_", "doo_v1_", "dor_v1_"), HEX, 40),
    ("Databricks token", ("dapi", "dose"), HEX, 32),
    ("Cloudflare token", ("cfut_", "cfat_", "cfk_", "v1.0-"), WORD, 40),
    ("Heroku key", ("HRKU-",), WORD, 30),
    ("Fly token", ("fo1_", "fm1r_", "fm1a_", "fm2_"), BASE64, 40),
    ("hosting token", ("nfp_", "nfc_", "nfo_", "nfu_", "vercel_blob_rw_"), WORD, 30),
    ("hosting token", ("vcp_", "vck_", "vci_", "vca_", "vcr_"), ALNUM, 20),
    ("hosting token", ("rnd_", "ucat_", "AVNS_"), ALNUM, 15),
    ("database token", ("sbp_", "sb_secret_", "napi_"), WORD, 28),
    ("database token", ("pscale_tkn_", "pscale_pw_", "pscale_oauth_"), DOTTED, 30),
    ("database token", ("mdb_sa_sk_", "essu_"), WORD, 36),
    ("Tailscale key", ("tskey-",), WORD, 20),
    ("Backblaze key", ("K00",), BASE64, 28),
    ("cluster token", ("K10",), HEX + ":server", 60),
    ("Yandex key", ("AQVN", "YCA", "y0_", "t1.9eu"), WORD, 35),
    # Vaults and infrastructure
    ("Vault token", ("hvs.", "hvb.", "hvr."), WORD, 24),
    ("vault token", ("dp.pt.", "dp.st.", "dp.ct.", "dp.sa."), DOTTED, 30),
    ("vault token", ("dp.scim.", "dp.audit."), DOTTED, 30),
    ("vault token", ("ops_eyJ", "A3-"), BASE64, 30),
    ("Pulumi token", ("pul-",), HEX, 40),
    ("Prefect token", ("pnu_", "pnb_"), ALNUM, 36),
    ("Confluent secret", ("cflt",), ALNUM, 50),
    ("Grafana token", ("glsa_", "glc_"), BASE64, 32),
    ("Sentry token", ("sntrys_", "sntryu_"), BASE64, 40),
    ("New Relic key", ("NRAK-", "NRII-", "NRIQ-", "NRJS-", "NRBR-"), WORD, 19),
    ("Dynatrace token", ("dt0c01.", "dt0s01.", "dt0s02.", "dt0s16."), DOTTED, 50),
    ("Honeycomb key", ("hcaik_", "hcamk_"), ALNUM, 40),
    ("OpenShift token", ("sha256~",), WORD, 40),
    ("Scalingo token", ("tk-us-",), WORD, 40),
    # Code and packages
    ("GitHub token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), ALNUM, 20),
    ("GitHub token", ("github_pat_",), WORD, 20),
    ("GitLab token", ("glpat-", "glptt-", "gldt-", "glrt-", "glcbt-"), DOTTED, 16),
    ("GitLab token", ("glft-", "glffct-", "glimt-", "glagent-"), WORD, 16),
    ("GitLab token", ("gloas-", "glsoat-", "GR1348941"), WORD, 16),
    ("Atlassian token", ("ATATT3", "ATCTT3", "ATSTT3", "BBDC-"), BASE64, 40),
    ("Bitbucket token", ("ATBB",), BASE64, 28),
    ("build token", ("CCIPAT_", "CCIPRJ_", "bkua_", "bkaj_"), WORD, 40),
    ("build token", ("pat.", "sat."), DOTTED, 60),
    ("build token", ("API-",), CAPITALS, 25),
    ("Sonar token", ("sqp_", "squ_", "sqa_", "sqco_"), ALNUM, 30),
    ("Sourcegraph token", ("sgp_", "slk_"), WORD, 40),
    ("scanner token", ("snyk_uat.", "sktsec_", "rootly_"), DOTTED, 36),
    ("Artifactory token", ("AKCp", "cmVmd"), ALNUM, 50),
    ("Docker token", ("dckr_pat_", "dckr_oat_"), WORD, 20),
    ("package token", ("npm_",), ALNUM, 30),
    ("package token", ("pypi-",), WORD, 50),
    ("package token", ("rubygems_", "CLOJARS_"), HEX, 40),
    ("package token", ("oy2", "cio"), ALNUM, 32),
    ("Terraform token", (".atlasv1.",), WORD, 50),
    ("Postman key", ("PMAK-",), WORD, 50),
    ("platform token", ("ddp_", "ddw_", "apify_api_", "aio_"), ALNUM, 26),
    ("platform token", ("bb_pr_", "bb_ma_", "ico-", "p8e-"), ALNUM, 28),
    ("platform token", ("sm_aat_", "sm_pat_", "sm_sat_", "salad_cloud_"), WORD, 16),
    ("platform token", ("s-s4t2ud-", "s-s4t2af-", "endr+", "VF."), DOTTED, 16),
    ("platform token", ("fio-u-", "dnkey-", "rdme_", "shltm_"), WORD, 40),
    # Work and messages
    ("work token", ("lin_api_", "lin_oauth_"), ALNUM, 32),
    ("work token", ("ntn_", "secret_"), ALNUM, 40),
    ("work token", ("pat",), DOTTED, 70),
    ("work token", ("figd_", "figp_", "figo_", "figu_", "figor_", "figur_"), WORD, 36),
    ("work token", ("pk_",), WORD, 34),
    ("work token", ("tfp_", "CFPAT-", "pina_"), WORD, 32),
    ("Slack token", ("xoxa-", "xoxb-", "xoxc-", "xoxd-", "xoxe-", "xoxo-"), BASE64, 10),
    ("Slack token", ("xoxp-", "xoxr-", "xoxs-", "xoxe.xox", "xapp-", "xwfp-"), BASE64, 10),
    ("mail key", ("SG.",), DOTTED, 40),
    ("mail key", ("xkeysib-", "xsmtpsib-"), WORD, 60),
    ("mail key", ("key-", "pubkey-"), HEX, 32),
    ("mail key", ("re_", "md-"), WORD, 22),
    ("Twilio key", ("SK",), HEX, 32),
    ("HubSpot token", ("pat-na1-", "pat-eu1-", "pat-na2-", "pat-eu2-"), HEX + "-", 36),
    ("switch key", ("sdk-", "api-", "mob-", "rh-api-"), HEX + "-", 36),
    ("Salesforce token", ("3MVG9", "5AEP861", "00D"), DOTTED + "!", 80),
    ("social token", ("EAA", "IGQV", "IGAA", "sl."), WORD, 80),
    ("social token", ("WPL_AP1.", "NF-"), BASE64, 24),
    ("social token", ("AAAAAAAAAAAAAAAAAAAAA",), ALNUM + "%", 50),
    ("Intercom token", ("dG9rO",), BASE64, 50),
    ("PubNub key", ("sec-c-",), WORD, 36),
    # Money
    ("API key", ("sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_"), ALNUM, 16),
    ("API key", ("pk_live_", "rk_prod_", "ak_live_", "whsec_"), BASE64, 16),
    ("API key", ("live_", "test_"), ALNUM, 35),
    ("API key", ("secret-live-", "secret-test-"), WORD, 30),
    ("Shopify token", ("shpat_", "shpca_", "shppa_", "shpss_", "shptka_"), HEX, 32),
    ("Square token", ("sq0atp-", "sq0csp-", "sq0idp-"), WORD, 20),
    ("Square token", ("EAAA",), WORD, 56),
    ("PayPal token", ("access_token$production$", "access_token$sandbox$"), ALNUM + "$", 40),
    ("Plaid token", ("access-sandbox-", "access-production-", "access-development-"), WORD, 36),
    ("payment key", ("rzp_live_", "rzp_test_", "flb_live_"), ALNUM, 14),
    ("payment key", ("FLWSECK-", "FLWSECK_TEST-"), WORD, 12),
    ("payment key", ("EZAK", "EZTK", "duffel_live_", "duffel_test_"), WORD, 40),
    ("payment key", ("shippo_live_", "shippo_test_", "ramp_sec_"), ALNUM, 40),
    ("payment key", ("AQE",), BASE64, 80),
    ("payment key", ("1000.",), HEX + ".", 60),
    ("chain key", ("AGE-SECRET-KEY-1",), CAPITALS, 40),
    ("chain key", ("xprv", "yprv", "zprv", "tprv"), ALNUM, 90),
    ("chain key", ("nsec1", "alcht_"), ALNUM, 30),
    # Addresses that need no other key
    ("API key", ("infura.io/v3/", "infura.io/ws/v3/", "alchemy.com/v2/", "rpc.ankr.com/eth/"), WORD, 30),
    ("webhook", ("hooks.slack.com/services/", "hooks.slack.com/workflows/"), PATH, 20),
    ("webhook", ("hooks.slack.com/triggers/", "hooks.zapier.com/hooks/catch/"), PATH, 12),
    ("webhook", ("discord.com/api/webhooks/", "discordapp.com/api/webhooks/"), PATH, 30),
    ("webhook", (".webhook.office.com/webhookb2/", "outlook.office.com/webhook/"), PATH, 36),
    ("webhook", ("open.feishu.cn/open-apis/bot/v2/hook/", "open.larksuite.com/open-apis/bot/v2/hook/"), PATH, 30),
    ("webhook", ("hook.eu1.make.com/", "hook.eu2.make.com/", "hook.us1.make.com/", "hook.us2.make.com/"), PATH, 20),
    ("bot token", ("MT", "NT", "OT", "Mz", "ND", "Nj", "Nz", "OD"), DOTTED, 52),
    # Of whom nobody has heard
    ("token", ("_live_", "_prod_", "_secret_", "_pat_", "_sk_", "_token_", "_key_", "-secret-", "-token-"), ALNUM, 20),
    # Signed tokens
    ("token", ("eyJ",), BASE64, 30),
    ("token", ("v2.local.", "v4.local.", "v2.public.", "v4.public."), DOTTED, 40),
)  # fmt: skip
"""Each kind of token. An alphabet has the characters that may follow the mark; the run of them is removed."""
MARKS = tuple([mark for row in ROWS for mark in row[1]])

_CHUNK = 128


def run_end(value: str, start: int, alphabet: str, most: int = 1 << 30) -> int:
    """Where the run of an alphabet that begins at a place ends, after so many characters at most."""
    end = start
    while end - start < most:
        chunk = value[end : end + _CHUNK]
        rest = len(chunk.lstrip(alphabet))
        end += len(chunk) - rest
        if rest or not chunk:
            return end
    return end


def looks_random(word: str, is_marked: bool = False) -> bool:
    """Whether a word is more likely made by a machine than a name that somebody thought of.

    Behind a long mark, which no name has, small and capital letters are enough.
    """
    digits = sum(map(word.count, "0123456789"))
    if digits > 1:
        return True
    capitals = sum(map(str.isupper, word))
    is_even = len(word) < 4 * capitals < 3 * len(word)
    return word.lower() != word != word.upper() and (is_marked or digits > 0 or is_even)
