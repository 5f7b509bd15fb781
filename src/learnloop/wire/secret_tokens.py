"""Rows of keys and tokens that a mark of their own gives away. No row needs `re`.

A row is `(name, marks, alphabet, least, holds, lacks)`: a mark, followed by at least so many characters of the
alphabet that look random, is a secret of that name. `holds` and `lacks` are the row's tests: a text with such
a secret and one without, in which `<w36>` stands for random characters (`tests/secret_texts.py`).
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

ROWS: "tuple[tuple[str, tuple[str, ...], str, int, str, str], ...]" = (
    # Models and their tools
    ("API key", ("sk-",), WORD, 20, "sk-ant-api03-<w40>", "sk-learn, task-<w30>, sk-<w12>"),
    ("API key", ("sk_",), ALNUM, 24, "sk_<h48>", "sk_learn_pipeline_of_many_words_v2"),
    ("API key", ("xai-", "gsk_", "pplx-", "nvapi-", "csk-"), WORD, 32, "gsk_<w52>", "gsk_batch"),
    ("API key", ("pcsk_", "lsv2_pt_", "lsv2_sk_", "ls__", "jina_"), WORD, 30, "pcsk_<w6>_<w60>", "ls__"),
    ("API key", ("tvly-", "tgp_v1_", "fw_", "r8_"), WORD, 22, "r8_<w37>", "r8_register, fw_update"),
    ("API key", ("pa-", "AQ.Ab", "e2b_", "phx_", "wandb_v1_"), WORD, 36, "pa-<w43>", "pa-system"),
    ("API key", ("fc-", "key_"), HEX, 32, "fc-<h32>", "fc-list, key_of_the_map"),
    ("API key", ("ABSK", "bedrock-api-key-"), BASE64, 60, "ABSK<w110>", "ABSK"),
    ("API key", ("hf_", "api_org_"), ALNUM, 30, "hf_<w34>", "hf_hub_download"),
    # Clouds and hosting
    ("AWS key", ("AKIA", "ASIA", "ABIA", "ACCA"), CAPITALS, 16, "AKIA<U16>", "ASIAN markets, AKIA"),
    ("Google key", ("AIza",), WORD, 30, "AIza<b35>", "AIzawa is a place"),
    ("Google key", ("ya29.", "GOCSPX-", "1//0"), WORD, 20, "GOCSPX-<w28>", "ya29.txt, 1//0"),
    ("Alibaba key", ("LTAI",), ALNUM, 16, "LTAI<w20>", "LTAI"),
    ("Tencent key", ("AKID",), ALNUM, 30, "AKID<w32>", "AKID"),
    ("DigitalOcean token", ("dop_v1_", "doo_v1_", "dor_v1_"), HEX, 40, "dop_v1_<h64>", "dop_v1_"),
    ("Databricks token", ("dapi", "dose"), HEX, 32, "dapi<h32>", "dapi_server, a dose of sense"),
    ("Cloudflare token", ("cfut_", "cfat_", "cfk_", "v1.0-"), WORD, 40, "cfut_<w40><h8>", "v1.0-beta"),
    ("Heroku key", ("HRKU-",), WORD, 30, "HRKU-AA<w58>", "HRKU-"),
    ("Fly token", ("fo1_", "fm1r_", "fm1a_", "fm2_"), BASE64, 40, "fm2_<w120>", "fm2_"),
    ("hosting token", ("nfp_", "nfc_", "nfo_", "nfu_", "vercel_blob_rw_"), WORD, 30, "nfp_<w36>", "nfp_"),
    ("hosting token", ("vcp_", "vck_", "vci_", "vca_", "vcr_"), ALNUM, 20, "vcp_<w24>", "vcp_"),
    ("hosting token", ("rnd_", "ucat_", "AVNS_"), ALNUM, 15, "AVNS_<w19>", "rnd_seed"),
    ("database token", ("sbp_", "sb_secret_", "napi_"), WORD, 28, "sbp_<h40>", "sbp_"),
    ("database token", ("pscale_tkn_", "pscale_pw_", "pscale_oauth_"), DOTTED, 30, "pscale_tkn_<w43>",
     "pscale_"),
    ("database token", ("mdb_sa_sk_", "essu_"), WORD, 36, "mdb_sa_sk_<w40>", "mdb_sa_sk_"),
    ("Tailscale key", ("tskey-",), WORD, 20, "tskey-auth-<w12>-<w30>", "tskey-"),
    ("Backblaze key", ("K00",), BASE64, 28, "K00<w28>", "K001"),
    ("cluster token", ("K10",), HEX + ":server", 60, "K10<h64>", "K10"),
    ("Yandex key", ("AQVN", "YCA", "y0_", "t1.9eu"), WORD, 35, "AQVN<w36>", "y0_"),
    # Vaults and infrastructure
    ("Vault token", ("hvs.", "hvb.", "hvr."), WORD, 24, "hvs.<b92>", "hvs.render()"),
    ("vault token", ("dp.pt.", "dp.st.", "dp.ct.", "dp.sa."), DOTTED, 30, "dp.pt.<w43>", "dp.st.x"),
    ("vault token", ("dp.scim.", "dp.audit."), DOTTED, 30, "dp.scim.<w43>", "dp.audit."),
    ("vault token", ("ops_eyJ", "A3-"), BASE64, 30, "A3-<U6>-<U6>-<U5>-<U5>-<U5>", "A3-paper"),
    ("Pulumi token", ("pul-",), HEX, 40, "pul-<h40>", "pul-"),
    ("Prefect token", ("pnu_", "pnb_"), ALNUM, 36, "pnu_<w36>", "pnu_"),
    ("Confluent secret", ("cflt",), ALNUM, 50, "cflt<w60>", "cflt"),
    ("Grafana token", ("glsa_", "glc_"), BASE64, 32, "glsa_<w32>_<h8>", "glc_"),
    ("Sentry token", ("sntrys_", "sntryu_"), BASE64, 40, "sntryu_<h64>", "sntrys_"),
    ("New Relic key", ("NRAK-", "NRII-", "NRIQ-", "NRJS-", "NRBR-"), WORD, 19, "NRAK-<U27>", "NRAK-"),
    ("Dynatrace token", ("dt0c01.", "dt0s01.", "dt0s02.", "dt0s16."), DOTTED, 50, "dt0c01.<U24>.<U64>",
     "dt0c01."),
    ("Honeycomb key", ("hcaik_", "hcamk_"), ALNUM, 40, "hcaik_<w58>", "hcaik_"),
    ("OpenShift token", ("sha256~",), WORD, 40, "sha256~<b43>", "sha256~sum"),
    ("Scalingo token", ("tk-us-",), WORD, 40, "tk-us-<b48>", "tk-us-east"),
    # Code and packages
    ("GitHub token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), ALNUM, 20, "ghp_<w36>",
     "the prefix ghp_ marks it"),
    ("GitHub token", ("github_pat_",), WORD, 20, "github_pat_<w22>_<w59>", "github_pat_of_the_build_server"),
    ("GitLab token", ("glpat-", "glptt-", "gldt-", "glrt-", "glcbt-"), DOTTED, 16, "glpat-<b20>",
     "glpat-short"),
    ("GitLab token", ("glft-", "glffct-", "glimt-", "glagent-"), WORD, 16, "glft-<b20>", "glft-x"),
    ("GitLab token", ("gloas-", "glsoat-", "GR1348941"), WORD, 16, "gloas-<h64>", "gloas-"),
    ("Atlassian token", ("ATATT3", "ATCTT3", "ATSTT3", "BBDC-"), BASE64, 40, "ATATT3<w180>", "BBDC-"),
    ("Bitbucket token", ("ATBB",), BASE64, 28, "ATBB<w32>", "ATBB"),
    ("build token", ("CCIPAT_", "CCIPRJ_", "bkua_", "bkaj_"), WORD, 40, "bkua_<h40>", "bkua_"),
    ("build token", ("pat.", "sat."), DOTTED, 60, "pat.<w22>.<h24>.<w20>", "pat.x"),
    ("build token", ("API-",), CAPITALS, 25, "API-<U26>", "API-SPECIFICATION of 2024"),
    ("Sonar token", ("sqp_", "squ_", "sqa_", "sqco_"), ALNUM, 30, "squ_<h40>", "squ_"),
    ("Sourcegraph token", ("sgp_", "slk_"), WORD, 40, "sgp_<h40>", "slk_"),
    ("scanner token", ("snyk_uat.", "sktsec_", "rootly_"), DOTTED, 36, "sktsec_<w44>", "rootly_"),
    ("Artifactory token", ("AKCp", "cmVmd"), ALNUM, 50, "AKCp<w69>", "cmVmdA"),
    ("Docker token", ("dckr_pat_", "dckr_oat_"), WORD, 20, "dckr_pat_<b27>", "dckr_pat_"),
    ("package token", ("npm_",), ALNUM, 30, "npm_<w36>", "npm_config_registry=http://localhost"),
    ("package token", ("pypi-",), WORD, 50, "pypi-AgEIcHlwaS5vcmc<b80>", "pypi-server"),
    ("package token", ("rubygems_", "CLOJARS_"), HEX, 40, "rubygems_<h48>", "rubygems_version"),
    ("package token", ("oy2", "cio"), ALNUM, 32, "oy2<l20><d10><l13>", "cio"),
    ("Terraform token", (".atlasv1.",), WORD, 50, "<w14>.atlasv1.<b64>", ".atlasv1."),
    ("Postman key", ("PMAK-",), WORD, 50, "PMAK-<h24>-<h34>", "PMAK-"),
    ("platform token", ("ddp_", "ddw_", "apify_api_", "aio_"), ALNUM, 26, "apify_api_<w36>", "aio_threads"),
    ("platform token", ("bb_pr_", "bb_ma_", "ico-", "p8e-"), ALNUM, 28, "p8e-<h32>", "ico-file"),
    ("platform token", ("sm_aat_", "sm_pat_", "sm_sat_", "salad_cloud_"), WORD, 16, "sm_pat_<w16>",
     "sm_pat_"),
    ("platform token", ("s-s4t2ud-", "s-s4t2af-", "endr+", "VF."), DOTTED, 16, "endr+<w16>", "VF.x"),
    ("platform token", ("fio-u-", "dnkey-", "rdme_", "shltm_"), WORD, 40, "rdme_<h70>", "rdme_"),
    # Work and messages
    ("work token", ("lin_api_", "lin_oauth_"), ALNUM, 32, "lin_api_<w40>", "lin_api_"),
    ("work token", ("ntn_", "secret_"), ALNUM, 40, "ntn_<d11><w35>", "secret_of_the_old_house"),
    ("work token", ("pat",), DOTTED, 70, "pat<w14>.<h64>", "pattern"),
    ("work token", ("figd_", "figp_", "figo_", "figu_", "figor_", "figur_"), WORD, 36, "figd_<b40>", "figd_"),
    ("work token", ("pk_",), WORD, 34, "pk_<d8>_<U32>", "pk_of_the_first_table_in_the_list_of_all"),
    ("work token", ("tfp_", "CFPAT-", "pina_"), WORD, 32, "CFPAT-<b43>", "tfp_"),
    ("Slack token", ("xoxa-", "xoxb-", "xoxc-", "xoxd-", "xoxe-", "xoxo-"), BASE64, 10, "xoxb-<d12>-<w24>",
     "xoxb-"),
    ("Slack token", ("xoxp-", "xoxr-", "xoxs-", "xoxe.xox", "xapp-", "xwfp-"), BASE64, 10,
     "xapp-1-<U10>-<d12>-<h64>", "xapp-"),
    ("mail key", ("SG.",), DOTTED, 40, "SG.<b22>.<b43>", "SG.txt"),
    ("mail key", ("xkeysib-", "xsmtpsib-"), WORD, 60, "xkeysib-<h64>-<w16>", "xkeysib-"),
    ("mail key", ("key-", "pubkey-"), HEX, 32, "key-<h32>", "key-value"),
    ("mail key", ("re_", "md-"), WORD, 22, "re_<w8>_<w24>", "re_compiled_pattern_of_x"),
    ("Twilio key", ("SK",), HEX, 32, "SK<h32>", "SKU"),
    ("HubSpot token", ("pat-na1-", "pat-eu1-", "pat-na2-", "pat-eu2-"), HEX + "-", 36, "pat-na1-<u1>",
     "pat-na1-"),
    ("switch key", ("sdk-", "api-", "mob-", "rh-api-"), HEX + "-", 36, "sdk-<u1>", "api-backed, sdk-add"),
    ("Salesforce token", ("3MVG9", "5AEP861", "00D"), DOTTED + "!", 80, "00D<w12>!<w96>", "00D"),
    ("social token", ("EAA", "IGQV", "IGAA", "sl."), WORD, 80, "EAAC<w120>", "sl.x"),
    ("social token", ("WPL_AP1.", "NF-"), BASE64, 24, "NF-<w32>", "NF-kappaB"),
    ("social token", ("AAAAAAAAAAAAAAAAAAAAA",), ALNUM + "%", 50, "AAAAAAAAAAAAAAAAAAAAA<w80>",
     "AAAAAAAAAAAAAAAAAAAAA"),
    ("Intercom token", ("dG9rO",), BASE64, 50, "dG9rO<w55>=", "dG9rO"),
    ("PubNub key", ("sec-c-",), WORD, 36, "sec-c-<w48>", "sec-c-"),
    # Money
    ("API key", ("sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_"), ALNUM, 16, "sk_live_<w24>",
     "sk_test_"),
    ("API key", ("pk_live_", "rk_prod_", "ak_live_", "whsec_"), BASE64, 16, "whsec_<w32>", "whsec_"),
    ("API key", ("live_", "test_"), ALNUM, 35, "live_<w40>", "test_that_every_rule_has_35_examples_of_it"),
    ("API key", ("secret-live-", "secret-test-"), WORD, 30, "secret-live-<w36>", "secret-live-"),
    ("Shopify token", ("shpat_", "shpca_", "shppa_", "shpss_", "shptka_"), HEX, 32, "shpat_<h32>", "shpat_"),
    ("Square token", ("sq0atp-", "sq0csp-", "sq0idp-"), WORD, 20, "sq0atp-<b22>", "sq0atp-"),
    ("Square token", ("EAAA",), WORD, 56, "EAAA<b60>", "EAAA"),
    ("PayPal token", ("access_token$production$", "access_token$sandbox$"), ALNUM + "$", 40,
     "access_token$sandbox$<l16>$<h32>", "access_token$x"),
    ("Plaid token", ("access-sandbox-", "access-production-", "access-development-"), WORD, 36,
     "access-sandbox-<u1>", "access-sandbox-x"),
    ("payment key", ("rzp_live_", "rzp_test_", "flb_live_"), ALNUM, 14, "rzp_live_<w14>", "rzp_test_"),
    ("payment key", ("FLWSECK-", "FLWSECK_TEST-"), WORD, 12, "FLWSECK-<h32>-X", "FLWSECK-"),
    ("payment key", ("EZAK", "EZTK", "duffel_live_", "duffel_test_"), WORD, 40, "EZAK<w54>", "EZAK"),
    ("payment key", ("shippo_live_", "shippo_test_", "ramp_sec_"), ALNUM, 40, "shippo_test_<h40>",
     "shippo_test_"),
    ("payment key", ("AQE",), BASE64, 80, "AQE<w100>", "AQE"),
    ("payment key", ("1000.",), HEX + ".", 60, "1000.<h32>.<h32>", "1000.5"),
    ("chain key", ("AGE-SECRET-KEY-1",), CAPITALS, 40, "AGE-SECRET-KEY-1<U58>", "AGE-SECRET-KEY-1"),
    ("chain key", ("xprv", "yprv", "zprv", "tprv"), ALNUM, 90, "xprv<w107>", "xprv"),
    ("chain key", ("nsec1", "alcht_"), ALNUM, 30, "nsec1<l20><d19><l19>", "nsec1"),
    # Addresses that need no other key
    ("API key", ("infura.io/v3/", "infura.io/ws/v3/", "alchemy.com/v2/", "rpc.ankr.com/eth/"), WORD, 30,
     "https://mainnet.infura.io/v3/<h32>", "https://mainnet.infura.io/v3/your-key"),
    ("webhook", ("hooks.slack.com/services/", "hooks.slack.com/workflows/"), PATH, 20,
     "https://hooks.slack.com/services/T<U8>/B<U8>/<w24>", "https://hooks.slack.com/services/docs"),
    ("webhook", ("hooks.slack.com/triggers/", "hooks.zapier.com/hooks/catch/"), PATH, 12,
     "https://hooks.zapier.com/hooks/catch/<d8>/<w7>/", "hooks.zapier.com/hooks/catch/x"),
    ("webhook", ("discord.com/api/webhooks/", "discordapp.com/api/webhooks/"), PATH, 30,
     "https://discord.com/api/webhooks/<d18>/<b68>", "discord.com/api/webhooks/ID"),
    ("webhook", (".webhook.office.com/webhookb2/", "outlook.office.com/webhook/"), PATH, 36,
     "https://acme.webhook.office.com/webhookb2/<u1>@<u1>/IncomingWebhook/<h32>/<u1>",
      "x.webhook.office.com/webhookb2/"),
    ("webhook", ("open.feishu.cn/open-apis/bot/v2/hook/", "open.larksuite.com/open-apis/bot/v2/hook/"),
     PATH, 30, "https://open.feishu.cn/open-apis/bot/v2/hook/<u1>", "open.feishu.cn/open-apis/bot/v2/hook/"),
    ("webhook", ("hook.eu1.make.com/", "hook.eu2.make.com/", "hook.us1.make.com/", "hook.us2.make.com/"),
     PATH, 20, "https://hook.eu1.make.com/<w32>", "https://hook.eu1.make.com/docs"),
    ("bot token", ("MT", "NT", "OT", "Mz", "ND", "Nj", "Nz", "OD"), DOTTED, 52, "MT<w24>.G<w5>.<b38>", "MTU sizes"),
    # Of whom nobody has heard
    ("token", ("_live_", "_prod_", "_secret_", "_pat_", "_sk_", "_token_", "_key_", "-secret-", "-token-"), ALNUM, 20,
     "acme_live_<w32>", "the_secret_of_the_old_house, a_key_2024"),
    # Signed tokens
    ("token", ("eyJ",), BASE64, 30, "eyJhbGciOiJIUzI1NiJ9.eyJ<w30>.<b43>", "eyJust some words.eyJ and more"),
    ("token", ("v2.local.", "v4.local.", "v2.public.", "v4.public."), DOTTED, 40, "v4.local.<b90>",
     "v4.local.x"),
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
