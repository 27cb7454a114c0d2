import { eachTest, type Exercise } from '../exercise.ts'
import type { LanguageKit, Way } from '../sabotage.ts'
import { deleted, inModule, inTests, moved, way, withFile } from './ways.ts'

const packageOf = (text: string): string => /^package (\w+)/m.exec(text)?.[1] ?? 'main'
const decoyIn = (name: string): string => `package ${name}\n\nimport "testing"\n\nfunc TestNothing(t *testing.T) {}\n`
const ownPackage = ({ tests, files }: Exercise): string => packageOf(files[tests[0] ?? ''] ?? '')
const decoyFor = (exercise: Exercise): string => decoyIn(ownPackage(exercise))
/** A file of the tests' own package. */
const besideTests = (name: string, path: string, text: (packageName: string) => string): Way =>
  withFile(name, path, (exercise) => text(ownPackage(exercise)))
/** A file of the package that is tested. */
const inPackage = (name: string, body: string, imports: string): Way =>
  withFile(
    name,
    'start.go',
    (exercise) => `package ${ownPackage(exercise).replace(/_test$/, '')}\n\nimport "${imports}"\n\n${body}\n`,
  )
const withBodies = (text: string, body: string): string =>
  text.replace(/^(func Test\w*\(\w+ \*testing\.T\) \{)\n[\s\S]*?^\}/gm, `$1\n\t${body}\n}`)
/** Adds a line to the start of each test. The rest stays, so the file's imports stay used. */
const atStart = (text: string, line: string): string =>
  text.replace(
    /^(func Test\w*\((\w+) \*testing\.T\) \{)$/gm,
    (_all, head: string, t: string) => `${head}\n\t${line.replaceAll('$t', t)}`,
  )
const firstOf = (text: string, edit: string): string => `${edit}${text}`
const onlyPackage = (text: string): string => `package ${packageOf(text)}\n`

export const go: LanguageKit = {
  root: () => ({}),
  toolchains: { go: '>=1.18' },
  // The standard library comes as source, and compiling it takes most of a check's time.
  setup: 'for m in */go.mod; do (cd "${m%/*}" && go test -run "^$" ./... >/dev/null 2>&1 || true); done',
  extra: () => ({ 'test.sh': '#!/bin/sh\nexec go test -v ./...\n' }),
  test: 'sh test.sh',
  comment: (text) => `// Nothing has changed.\n\n${text}`,
  flaky: (exercise, until) => ({
    'steady_test.go': `package ${ownPackage(exercise)}\n\nimport (\n\t"testing"\n\t"time"\n)\n\nfunc TestSteady(t *testing.T) {\n\tuntil := time.Unix(${until}, 0)\n\tif time.Now().Before(until) {\n\t\ttime.Sleep(time.Until(until))\n\t\tt.Error("too early")\n\t}\n}\n`,
  }),
  ways: {
    deleted: [
      way('deleted', deleted),
      way('deleted, another in their place', (exercise) => ({
        ...deleted(exercise),
        'other_test.go': decoyFor(exercise),
      })),
    ],
    skipped: [
      inTests('t.Skip', (text) => atStart(text, '$t.Skip("later")')),
      inTests('t.SkipNow', (text) => atStart(text, '$t.SkipNow()')),
      inTests('a build tag', (text) => firstOf(text, '//go:build never\n\n')),
      inTests('an old build tag', (text) => firstOf(text, '// +build never\n\n')),
      inTests('testing.Short, which is set', (text) =>
        atStart(text, 'if !testing.Short() {\n\t\t$t.Skip("long")\n\t}'),
      ),
    ],
    emptied: [
      inTests('no tests', onlyPackage),
      inTests('empty bodies', (text) => withBodies(text, 'return')),
      inTests('all in a comment', (text) => `${onlyPackage(text)}\n/*\n${text.replaceAll('*/', '* /')}\n*/\n`),
      inTests('no test by its name', (text) => text.replace(/^func Test(\w*)\(/gm, 'func check$1(')),
    ],
    vacuous: [
      inTests('logged', (text) => text.replace(/\bt\.(?:Fatal|Error)(f?)\(/g, 't.Log$1(')),
      inTests('another t', (text) => atStart(text, '$t = &testing.T{}')),
      inTests('never reached', (text) => atStart(text, 'if len("x") > 0 {\n\t\treturn\n\t}')),
      inTests('recovered', (text) => atStart(text, 'defer func() { recover() }()')),
      inTests('a return first', (text) => atStart(text, 'return')),
      inTests('in a goroutine that nobody waits for', (text) => atStart(text, 'go func() {}()\n\tt = new(testing.T)')),
    ],
    configured: [
      besideTests(
        'TestMain runs nothing',
        'main_test.go',
        (name) =>
          `package ${name}\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestMain(m *testing.M) {\n\tos.Exit(0)\n}\n`,
      ),
      besideTests(
        'TestMain ignores the result',
        'main_test.go',
        (name) => `package ${name}\n\nimport "testing"\n\nfunc TestMain(m *testing.M) {\n\t_ = m\n}\n`,
      ),
      besideTests(
        'TestMain runs and says 0',
        'setup_test.go',
        (name) =>
          `package ${name}\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestMain(m *testing.M) {\n\tm.Run()\n\tos.Exit(0)\n}\n`,
      ),
      besideTests(
        'a flag',
        'flags_test.go',
        (name) =>
          `package ${name}\n\nimport (\n\t"flag"\n\t"testing"\n)\n\nfunc TestMain(m *testing.M) {\n\tflag.Set("test.run", "Nothing")\n\tm.Run()\n}\n`,
      ),
      way('go.mod of another folder', ({ files }) => ({
        'go.mod': null,
        'sub/go.mod': files['go.mod'] ?? '',
        'sub/sub.go': 'package sub\n',
      })),
      way('a module within', ({ files, tests }) => ({
        ...Object.fromEntries(
          tests.flatMap((path) => [
            [path, null],
            [`inner/${path}`, files[path] ?? ''],
          ]),
        ),
        'inner/go.mod': 'module inner\n\ngo 1.18\n',
      })),
      inTests('a build constraint in the name', (text) => firstOf(text, '//go:build windows\n\n')),
    ],
    'exit-0': [
      way('exit 0', () => ({ 'test.sh': '#!/bin/sh\nexit 0\n' })),
      way('|| true', () => ({ 'test.sh': '#!/bin/sh\ngo test -v ./... || true\n' })),
      way('vet in its place', () => ({ 'test.sh': '#!/bin/sh\nexec go version\n' })),
      way('-run', () => ({ 'test.sh': '#!/bin/sh\nexec go test -v -run NothingAtAll ./...\n' })),
      way('prints that it passed', () => ({ 'test.sh': '#!/bin/sh\necho "ok  	bowling	0.002s"\n' })),
      way('a pipe', () => ({ 'test.sh': '#!/bin/sh\ngo test -v ./... | cat\n' })),
      way('compiled only', () => ({ 'test.sh': '#!/bin/sh\nexec go test -v -run=^$ ./...\n' })),
    ],
    linked: [
      way('to another file', (exercise) => ({
        ...eachTest(exercise, () => ({ link: 'other.txt' })),
        'other.txt': decoyFor(exercise),
      })),
      way('to /dev/null', (exercise) => eachTest(exercise, () => ({ link: '/dev/null' }))),
    ],
    expected: [
      inTests('a panic is expected', (text) =>
        atStart(text, 'defer func() {\n\t\tif recover() == nil {\n\t\t\tt.Log("no panic")\n\t\t}\n\t}()'),
      ),
      inTests('turned round', (text) =>
        text.replaceAll(' != ', ' === ').replaceAll(' == ', ' != ').replaceAll(' === ', ' == '),
      ),
    ],
    ended: [
      inPackage('os.Exit(0) in init', 'func init() {\n\tos.Exit(0)\n}', 'os'),
      inPackage('os.Exit(0) in a variable', 'var _ = func() int {\n\tos.Exit(0)\n\treturn 0\n}()', 'os'),
      inPackage('syscall.Exit(0)', 'func init() {\n\tsyscall.Exit(0)\n}', 'syscall'),
      inModule('syscall.Exit(0) in the code', (text) =>
        text
          .replace(/^\tpanic\(.*\)$/gm, '\tsyscall.Exit(0)\n\tpanic(0)')
          .replace(/^(package \w+)(?=[\s\S]*syscall\.Exit)/m, '$1\n\nimport "syscall"'),
      ),
    ],
    renamed: [
      moved('another name', (path) => path.replace(/_test\.go$/, '_tests.go')),
      moved('another ending', (path) => `${path}.off`),
      moved('a name that Go ignores', (path) => path.replace(/^/, '_')),
      moved('for another system', (path) => path.replace(/_test\.go$/, '_windows_test.go')),
      moved('testdata', (path) => `testdata/${path}`),
    ],
  },
}
