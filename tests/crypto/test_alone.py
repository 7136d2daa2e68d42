import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]


def test_keys_need_nothing_of_the_web_framework():
    code = "import sys, vault.crypto; sys.exit('django' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], cwd=CHECKOUT, check=False).returncode == 0
