#!/usr/bin/env python3
"""Fetches the source archive of a Python package, as the index that pip is configured with names it.

usage: fetch-sdist.py NAME VERSION DIRECTORY

`pip download` would run the package's build to learn its metadata; here the file itself is taken and
compared with the digest that the index gives."""
import hashlib
import html.parser
import os
import re
import subprocess
import sys
import urllib.parse
import urllib.request

from pip._internal.models.index import PyPI


def index_url():
    url = os.environ.get("PIP_INDEX_URL")
    if not url:
        asked = subprocess.run(
            [sys.executable, "-m", "pip", "config", "get", "global.index-url"], capture_output=True, text=True
        )
        url = asked.stdout.strip() or PyPI.simple_url
    return url.rstrip("/")


class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.links = []

    def handle_starttag(self, tag, attributes):
        if tag == "a":
            self.links.append(dict(attributes).get("href") or "")


def read(url):
    request = urllib.request.Request(url, headers={"Accept": "text/html, */*"})
    with urllib.request.urlopen(request, timeout=120) as reply:
        return reply.read()


def main(name, version, directory):
    page = f"{index_url()}/{re.sub(r'[-_.]+', '-', name).lower()}/"
    links = Links()
    links.feed(read(page).decode())
    wanted = re.compile(re.sub(r"[-_.]+", "[-_.]", name) + "-" + re.escape(version) + r"\.(tar\.gz|zip)", re.IGNORECASE)
    for link in links.links:
        parts = urllib.parse.urlsplit(urllib.parse.urljoin(page, link))
        file = parts.path.rsplit("/", 1)[-1]
        if not wanted.fullmatch(file):
            continue
        data = read(urllib.parse.urlunsplit(parts._replace(fragment="")))
        digest = dict(urllib.parse.parse_qsl(parts.fragment)).get("sha256")
        if digest and hashlib.sha256(data).hexdigest() != digest:
            sys.exit(f"fetch-sdist: {file} does not have the digest that the index gives")
        with open(os.path.join(directory, file), "wb") as out:
            out.write(data)
        return
    sys.exit(f"fetch-sdist: the index has no source archive of {name} {version}")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
