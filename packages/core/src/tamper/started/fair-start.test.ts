import { describe, expect, test } from 'vitest'
import { removalsIn } from '../asked.ts'
import { check, counts, diffs, lines, make, node, run, weaker, type Files } from '../../testing/sample-starts.ts'

/* Changes of started files after which the checks still ask as much. */

describe('not refused', () => {
  test.each<[string, string, Files, Files]>([
    [
      'an added check',
      'sh checks/run.sh',
      { 'checks/run.sh': run },
      { 'checks/run.sh': `${run}[ "$(sh prog.sh z)" = 45 ]\n` },
    ],
    ['another value', 'sh checks/run.sh', { 'checks/run.sh': run }, { 'checks/run.sh': run.replace('44', '45') }],
    ['a renamed variable', 'sh count', { count: counts }, { count: counts.replaceAll('fail', 'failures') }],
    [
      'comments and messages',
      'bash test.sh',
      { 'test.sh': diffs },
      { 'test.sh': `# Compares.\n${diffs.replace('set -e', 'set -eu\necho one')}` },
    ],
    [
      'other layout',
      'bash test.sh',
      { 'test.sh': diffs },
      {
        'test.sh': lines(
          'set -e',
          'sh prog.sh a > out && \\',
          '  diff out expected',
          'sh prog.sh b > out2; diff out2 expected2',
        ),
      },
    ],
    [
      'an `if` in place of `||`',
      'sh checks/run.sh',
      { 'checks/run.sh': lines('[ "$(./prog)" = 1 ] || { echo bad; exit 1; }') },
      { 'checks/run.sh': lines('if [ "$(./prog)" != 1 ]; then', '  echo bad', '  exit 1', 'fi') },
    ],
    [
      'cases as a loop',
      'sh checks/run.sh',
      { 'checks/run.sh': run },
      {
        'checks/run.sh': lines(
          'set -e',
          'for one in x:43 y:44; do',
          '  [ "$(sh prog.sh "${one%:*}")" = "${one#*:}" ]',
          'done',
        ),
      },
    ],
    [
      'cases as calls of a function',
      'sh checks/run.sh',
      { 'checks/run.sh': run },
      { 'checks/run.sh': lines('set -e', 'is() { [ "$(sh prog.sh "$1")" = "$2" ]; }', 'is x 43', 'is y 44') },
    ],
    [
      'a moved script',
      'make test',
      { Makefile: make('sh a.sh'), 'a.sh': run },
      { Makefile: make('sh checks/b.sh'), 'checks/b.sh': run },
    ],
    [
      'a script in two',
      'sh run-all',
      { 'run-all': diffs },
      {
        'run-all': lines('set -e', 'sh test/one.sh', 'sh test/two.sh'),
        'test/one.sh': lines('set -e', 'sh prog.sh a > out', 'diff out expected'),
        'test/two.sh': lines('set -e', 'sh prog.sh b > out2', 'diff out2 expected2'),
      },
    ],
    [
      'a recipe in the place of a script',
      'make test',
      { Makefile: make('sh a.sh'), 'a.sh': lines('set -e', './one', './two') },
      { Makefile: make('./one', './two') },
    ],
    [
      'another target of the Makefile',
      'make test',
      { Makefile: make('./one') },
      { Makefile: make('./one').replace('cc -o prog prog.c', 'echo built') },
    ],
    [
      'a recipe with a message and another build',
      'make test',
      { Makefile: make('cc -o one one.c', './one') },
      { Makefile: make('@echo testing', '$(CC) -O2 -o one one.c', '@./one') },
    ],
    [
      'assertions as a loop',
      'python3 check.py',
      { 'check.py': check },
      { 'check.py': lines('from f import f', 'for x, y in [(1, 2), (2, 4)]:', '    assert f(x) == y, x') },
    ],
    [
      'assertions in a function that is called',
      'python3 check.py',
      { 'check.py': check },
      {
        'check.py': lines(
          'from f import f',
          'def main():',
          '    assert f(1) == 2',
          '    assert f(2) == 4',
          'if __name__ == "__main__":',
          '    main()',
        ),
      },
    ],
    [
      'a raise in the place of an assertion',
      'python3 check.py',
      { 'check.py': check },
      { 'check.py': check.replace('assert f(2) == 4', 'if f(2) != 4:\n    raise SystemExit("f(2)")') },
    ],
    [
      'an assertion in the place of an exit',
      'node go.js',
      { 'go.js': node },
      { 'go.js': node.replace(/if \(f\(1\)[^}]*\}/, 'assert.equal(f(1), 2)') },
    ],
    [
      'the tested program, whose output is compared',
      'sh checks/run.sh',
      { 'checks/run.sh': run, 'prog.sh': 'grep -q x in || exit 1\n[ -n "$1" ]\necho 43\n' },
      { 'checks/run.sh': run, 'prog.sh': 'echo 43\n' },
    ],
    [
      'a tested program that a check only starts',
      'sh checks/run.sh',
      { 'checks/run.sh': `${run}python3 tool.py\n`, 'tool.py': 'import sys\nif not sys.argv:\n    sys.exit(1)\n' },
      { 'checks/run.sh': `${run}python3 tool.py\n`, 'tool.py': 'print(1)\n' },
    ],
    [
      'a script of npm by another way',
      'npm test',
      { 'package.json': '{"scripts":{"test":"node go.js"}}', 'go.js': node },
      { 'package.json': '{"scripts":{"test":"npm run unit","unit":"node test/go.js"}}', 'test/go.js': node },
    ],
    [
      'a clean-up that goes',
      'sh checks/run.sh',
      { 'checks/run.sh': `mkdir -p t\n${run}rm -rf t\n` },
      { 'checks/run.sh': run },
    ],
    [
      'cases as functions that are called by their names',
      'sh checks/run.sh',
      { 'checks/run.sh': run },
      {
        'checks/run.sh': lines(
          'set -e',
          'test_x() {',
          '  [ "$(sh prog.sh x)" = 43 ]',
          '}',
          'test_y() {',
          '  [ "$(sh prog.sh y)" = 44 ]',
          '}',
          'for one in $(declare -F | cut -d" " -f3); do "$one"; done',
        ),
      },
    ],
  ])('%s', (_, command, before, after) => {
    expect(weaker(command, before, after)).toEqual([])
  })

  test('what the bead asks to remove', () => {
    const removals = removalsIn('Remove `expected2` from the checks')
    const after = { 'test.sh': diffs.replace('diff out2 expected2\n', '') }
    expect(weaker('bash test.sh', { 'test.sh': diffs }, after, { removals })).toEqual([])
  })
})
