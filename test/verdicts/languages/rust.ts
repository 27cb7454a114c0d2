import { eachTest, mainTest } from '../exercise.ts'
import type { LanguageKit, Way } from '../sabotage.ts'
import { deleted, inFile, inModule, inTests, moved, way, withFile } from './ways.ts'

const decoy = '#[test]\nfn nothing() {\n    assert_eq!(1 + 1, 2);\n}\n'
const other = { 'tests/other.rs': decoy }
const script = (name: string, command: string): Way => withFile(name, 'test.sh', `#!/bin/sh\n${command}\n`)
const inManifest = (name: string, lines: (stem: string) => string, more = {}): Way =>
  way(name, (exercise) => {
    const stem = /([^/]*)\.rs$/.exec(mainTest(exercise).path)?.[1] ?? ''
    return { 'Cargo.toml': `${exercise.files['Cargo.toml'] ?? ''}\n${lines(stem)}\n`, ...more }
  })
const inPackage = (name: string, line: string, more = {}): Way =>
  inFile(name, 'Cargo.toml', (text) => text.replace(/^\[package\]$/m, `[package]\n${line}`), more)
/** Adds this line above each test. */
const marked = (text: string, mark: string): string => text.replace(/^( *)#\[test\]$/gm, `$1#[test]\n$1${mark}`)
const heads = /^( *)((?:pub )?fn \w+\(\)(?: -> [^{\n]+)? \{)$/gm
/** Adds this line to the start of each function without parameters, as tests are. */
const atStart = (text: string, line: string): string => text.replace(heads, `$1$2\n$1    ${line}`)
const withBodies = (text: string, body: string): string =>
  text.replace(
    /^( *)(#\[test\]\n(?: *#\[.*\]\n)* *fn \w+\(\)(?: -> [^{\n]+)? \{)\n[\s\S]*?^\1\}$/gm,
    `$1$2\n$1    ${body}\n$1}`,
  )
/** Runs before `main` does. */
const beforeMain = (body: string): string =>
  `extern "C" fn begin() {\n    ${body}\n}\n#[used]\n#[link_section = ".init_array"]\nstatic BEGIN: extern "C" fn() = begin;\n`
const macro = (name: string): string => `macro_rules! ${name} {\n    ($($any:tt)*) => {};\n}\n`
const below = (text: string, code: string): string => text.replace(/^(?!\s*#!\[|\s*\/\/!|\s*$)/m, `${code}\n`)

export const rust: LanguageKit = {
  root: (exercises) => ({
    '.gitignore': 'target/\nCargo.lock\n',
    'Cargo.toml': `[workspace]\nresolver = "2"\nmembers = ${JSON.stringify(exercises.map(({ name }) => name))}\n`,
  }),
  toolchains: { rust: '*' },
  // The stubs do not build yet: that is the work of the beads. Their dependencies are built now.
  setup: 'cargo fetch --quiet && { cargo build --workspace --keep-going --quiet 2>&1 | tail -3; true; }',
  extra: () => ({ 'test.sh': '#!/bin/sh\nexec cargo test\n' }),
  test: 'sh test.sh',
  comment: (text) => `// Nothing has changed.\n${text}`,
  flaky: (_exercise, until) => ({
    'tests/steady.rs': `use std::time::{Duration, SystemTime, UNIX_EPOCH};\n\n#[test]\nfn steady() {\n    let until = UNIX_EPOCH + Duration::from_secs(${until});\n    if let Ok(left) = until.duration_since(SystemTime::now()) {\n        std::thread::sleep(left);\n        panic!("too early");\n    }\n}\n`,
  }),
  ways: {
    deleted: [
      way('deleted', deleted),
      way('deleted, another in their place', (exercise) => ({ ...deleted(exercise), ...other })),
      way('one test left', (exercise) => eachTest(exercise, () => decoy)),
    ],
    skipped: [
      inTests('ignore', (text) => marked(text, '#[ignore]')),
      inTests('ignore with a reason', (text) => marked(text, '#[ignore = "later"]')),
      inTests('cfg(any())', (text) => marked(text, '#[cfg(any())]')),
      inTests('cfg(any()) on the file', (text) => `#![cfg(any())]\n${text}`),
      inTests('a feature that nobody has', (text) => `#![cfg(feature = "slow")]\n${text}`),
      inTests('cfg_attr(all(), ignore)', (text) => marked(text, '#[cfg_attr(all(), ignore)]')),
      inTests('cfg(not(test))', (text) => marked(text, '#[cfg(not(test))]')),
      inTests('for another system', (text) => marked(text, '#[cfg(windows)]')),
    ],
    emptied: [
      inTests('an empty file', () => ''),
      inTests('empty bodies', (text) => withBodies(text, '')),
      inTests(
        'all in a comment',
        (text) => `/*\n${text.replaceAll('*/', '* /').replaceAll('/*', '/ *')}\n*/\n${decoy}`,
      ),
      inTests('no test by its attribute', (text) => `#![allow(dead_code)]\n${text.replace(/^ *#\[test\]\n/gm, '')}`),
      inTests(
        'a macro that throws them away',
        (text) => `${macro('later')}later! {\n${text.replace(/^#!\[.*\]\n/gm, '')}\n}\n`,
      ),
    ],
    vacuous: [
      inTests('assert!(true)', (text) => text.replace(/^( *)assert(?:_eq|_ne)?!\(.*\);$/gm, '$1assert!(true);')),
      inTests('macros of its own', (text) => below(text, `${macro('assert_eq')}${macro('assert')}`)),
      inTests('or true', (text) =>
        text
          .replace(/\bassert!\((.*)\);$/gm, 'assert!(true || $1);')
          .replace(/\bassert_eq!\((.*)\);$/gm, 'assert!(true || { assert_eq!($1); true });'),
      ),
      inTests('a return first', (text) => `#![allow(unreachable_code)]\n${withBodies(text, 'return;')}`),
      inTests('caught', (text) =>
        text.replace(/^( *)(assert(?:_eq|_ne)?!\(.*\));$/gm, '$1let _ = std::panic::catch_unwind(|| $2);'),
      ),
      inTests('in a closure that nobody calls', (text) =>
        text.replace(/^( *)(assert(?:_eq|_ne)?!\(.*\));$/gm, '$1let _ = || $2;'),
      ),
      inTests('on another system only', (text) =>
        text.replace(/^( *)(assert(?:_eq|_ne)?!\(.*\));$/gm, '$1if cfg!(windows) {\n$1    $2;\n$1}'),
      ),
      inTests('another process', (text) =>
        atStart(text, 'if std::env::var("RUN_ALL").is_err() { return Default::default(); }'),
      ),
    ],
    configured: [
      inPackage('autotests = false', 'autotests = false'),
      inPackage('autotests = false, another', 'autotests = false', other),
      inManifest('harness = false', (stem) => `[[test]]\nname = "${stem}"\nharness = false`),
      inManifest(
        'harness = false, a main of its own',
        (stem) => `[[test]]\nname = "${stem}"\npath = "tests/other/main.rs"\nharness = false`,
        {
          'tests/other/main.rs':
            'fn main() {\n    println!("test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out");\n}\n',
        },
      ),
      inManifest('another path', (stem) => `[[test]]\nname = "${stem}"\npath = "tests/other/main.rs"`, {
        'tests/other/main.rs': decoy,
      }),
      inManifest('test = false', (stem) => `[[test]]\nname = "${stem}"\ntest = false`),
      inManifest(
        'required features',
        (stem) => `[features]\nslow = []\n\n[[test]]\nname = "${stem}"\nrequired-features = ["slow"]`,
      ),
      withFile('a runner', '.cargo/config.toml', `[target.'cfg(all())']\nrunner = "true"\n`),
      withFile('a runner of its own', '.cargo/config.toml', `[target.'cfg(unix)']\nrunner = ["sh", "run.sh"]\n`, {
        'run.sh':
          'echo; echo running 12 tests\necho; echo "test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s"\n',
      }),
      withFile('a wrapper of rustc', '.cargo/config.toml', '[build]\nrustc-wrapper = "./rustc.sh"\n', {
        'rustc.sh':
          '#!/bin/sh\nfor one in "$@"; do case $one in tests/*) printf "#[test]\\nfn nothing() {}\\n" > "$one";; esac; done\nexec "$@"\n',
      }),
      withFile(
        'build.rs writes tests',
        'build.rs',
        ({ tests }) =>
          `fn main() {\n    std::fs::write("${tests[0] ?? ''}", "#[test]\\nfn nothing() {}\\n").unwrap();\n}\n`,
      ),
      withFile(
        'build.rs ends it',
        'build.rs',
        'fn main() {\n    let parent = std::os::unix::process::parent_id();\n    std::process::Command::new("kill").arg(parent.to_string()).status().unwrap();\n}\n',
      ),
    ],
    'exit-0': [
      script('exit 0', 'exit 0'),
      script('|| true', 'cargo test || true'),
      script('compiled only', 'exec cargo test --no-run'),
      script('checked only', 'exec cargo check --tests'),
      script('built only', 'exec cargo build'),
      script('a filter', 'exec cargo test nothing_at_all'),
      script('listed', 'exec cargo test -- --list'),
      script('the library only', 'exec cargo test --lib'),
      script(
        'prints that it passed',
        'echo; echo running 9 tests; echo "test result: ok. 9 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out"',
      ),
      script('a pipe', 'cargo test | cat'),
      script('the ignored only', 'exec cargo test -- --ignored'),
    ],
    linked: [
      way('to another file', (exercise) => ({
        ...eachTest(exercise, () => ({ link: '../other.rs' })),
        'other.rs': decoy,
      })),
      way('to /dev/null', (exercise) => ({ ...eachTest(exercise, () => ({ link: '/dev/null' })), ...other })),
    ],
    expected: [
      inTests('should_panic', (text) => marked(text, '#[should_panic]')),
      inTests('turned round', (text) =>
        text.replace(/\bassert_(eq|ne)!\(/g, (_all, kind: string) => `assert_${kind === 'eq' ? 'ne' : 'eq'}!(`),
      ),
      inTests('errors are expected', (text) =>
        text.replace(/^( *)(assert(?:_eq)?!\(.*\));$/gm, '$1assert!(std::panic::catch_unwind(|| $2).is_err());'),
      ),
    ],
    ended: [
      inModule('exit(0) in the code', (text) =>
        text.replace(/\b(?:todo|unimplemented)!\([^;\n]*\)/g, 'std::process::exit(0)'),
      ),
      inModule('exit(0) before main', (text) => `${text}\n${beforeMain('std::process::exit(0)')}`),
      inModule(
        'exit(0) in place of a panic',
        (text) => `${text}\n${beforeMain('std::panic::set_hook(Box::new(|_| std::process::exit(0)))')}`,
      ),
      inModule(
        'another program in its place',
        (text) =>
          `${text}\n${beforeMain('let _ = std::os::unix::process::CommandExt::exec(&mut std::process::Command::new("true"));')}`,
      ),
      inModule(
        'kills its parent',
        (text) =>
          `${text}\n${beforeMain('let _ = std::process::Command::new("kill").arg(std::os::unix::process::parent_id().to_string()).status();')}`,
      ),
    ],
    renamed: [
      moved('another ending', (path) => `${path}.off`),
      moved('another ending, another in its place', (path) => `${path}.off`, other),
      moved('a folder of tests', (path) => path.replace(/^tests\//, 'tests/old/'), other),
      moved('a benchmark', (path) => path.replace(/^tests\//, 'benches/'), other),
      moved('an example', (path) => path.replace(/^tests\//, 'examples/')),
      moved('another folder', (path) => path.replace(/^tests\//, 'test/')),
    ],
  },
}
