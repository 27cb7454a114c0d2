import { describe, expect, test } from 'vitest'
import { check, counts, diffs, lines, make, node, ruby, run, weaker, type Files } from '../../testing/sample-starts.ts'

/* A file that a check's command starts decides about the work, whatever its name. */

describe('refused', () => {
  test.each<[string, string, Files, Files]>([
    [
      'a script that only says that all is well',
      'sh checks/run.sh',
      { 'checks/run.sh': run },
      { 'checks/run.sh': 'echo all fine\n' },
    ],
    [
      'one of two comparisons is gone',
      'sh checks/run.sh',
      { 'checks/run.sh': run },
      { 'checks/run.sh': run.replace(/\[.*44 \]\n/, '') },
    ],
    [
      'the recipe of the target says ok',
      'make test',
      { Makefile: make('[ "$$(./prog 1)" = 2 ]') },
      { Makefile: make('@echo ok') },
    ],
    ['the recipe is `@:`', 'make test', { Makefile: make('./selftest') }, { Makefile: make('@:') }],
    ['the recipe loses a command', 'make test', { Makefile: make('./one', './two') }, { Makefile: make('./one') }],
    [
      'a command of the recipe may fail',
      'make test',
      { Makefile: make('./one', './two') },
      { Makefile: make('./one', '-./two') },
    ],
    [
      'a command of the recipe always passes',
      'make test',
      { Makefile: make('./one') },
      { Makefile: make('./one || true') },
    ],
    [
      'a target that the target needs',
      'make -s test',
      { Makefile: lines('test: a b', 'a:', '\t./one', 'b:', '\t./two') },
      { Makefile: lines('test: a', 'a:', '\t./one', 'b:', '\t./two') },
    ],
    [
      'failures of make are ignored',
      'make test',
      { Makefile: make('./one') },
      { Makefile: `.IGNORE:\n${make('./one')}` },
    ],
    [
      'a script behind a recipe',
      'make test',
      { Makefile: make('sh t/go.sh'), 't/go.sh': run },
      { Makefile: make('sh t/go.sh'), 't/go.sh': 'set -e\necho ok\n' },
    ],
    [
      'the assertions of a program',
      'python3 check.py',
      { 'check.py': check },
      { 'check.py': check.replace(/assert.*\n/g, '') },
    ],
    [
      'one assertion of a module',
      'python3 -m tools.check',
      { 'tools/check.py': check },
      { 'tools/check.py': check.replace(/assert.*4\n/, '') },
    ],
    [
      'assertions that are switched off',
      'make test',
      { Makefile: make('python3 check.py'), 'check.py': check },
      { Makefile: make('python3 -O check.py'), 'check.py': check },
    ],
    [
      'assertions that are caught',
      'python3 check.py',
      { 'check.py': check },
      {
        'check.py': lines(
          'from f import f',
          'try:',
          '    assert f(1) == 2',
          '    assert f(2) == 4',
          'except AssertionError:',
          '    pass',
        ),
      },
    ],
    [
      'assertions in a function that nothing calls',
      'python3 check.py',
      { 'check.py': check },
      { 'check.py': lines('from f import f', 'def later():', '    assert f(1) == 2', '    assert f(2) == 4') },
    ],
    [
      'a program that ends first',
      'python3 check.py',
      { 'check.py': check },
      { 'check.py': `import sys\nsys.exit(0)\n${check}` },
    ],
    [
      'one of two `diff` lines',
      'bash test.sh',
      { 'test.sh': diffs },
      { 'test.sh': diffs.replace('diff out2 expected2\n', '') },
    ],
    [
      'a script that ends first',
      'bash test.sh',
      { 'test.sh': diffs },
      { 'test.sh': diffs.replace('set -e\n', 'set -e\nexit 0\n') },
    ],
    [
      'a comparison of a file with itself',
      'bash test.sh',
      { 'test.sh': diffs },
      { 'test.sh': diffs.replace('out2 expected2', 'out2 out2') },
    ],
    ['comparisons in a here-document', 'bash test.sh', { 'test.sh': diffs }, { 'test.sh': `: <<'END'\n${diffs}END\n` }],
    [
      'comparisons under a condition that never holds',
      'bash test.sh',
      { 'test.sh': diffs },
      { 'test.sh': `if false; then\n${diffs}fi\n` },
    ],
    [
      'comparisons in a function that nothing calls',
      'bash test.sh',
      { 'test.sh': diffs },
      { 'test.sh': `later() {\n${diffs}}\n` },
    ],
    [
      'it no longer ends with its first failure',
      'bash test.sh',
      { 'test.sh': diffs },
      { 'test.sh': diffs.replace('set -e\n', '') },
    ],
    [
      'its last command hides the others',
      'sh check.sh',
      { 'check.sh': 'diff out expected\n' },
      { 'check.sh': 'diff out expected\necho done\n' },
    ],
    ['an exit with its count', 'sh count', { count: counts }, { count: counts.replace('exit $fail', 'exit 0') }],
    ['a call of its own function', 'sh count', { count: counts }, { count: counts.replace('check y 44\n', '') }],
    ['its function counts no failure', 'sh count', { count: counts }, { count: counts.replace('    fail=1\n', '') }],
    [
      'an exit of JavaScript with a code',
      'npm test',
      { 'package.json': '{"scripts":{"test":"node go.js"}}', 'go.js': node },
      {
        'package.json': '{"scripts":{"test":"node go.js"}}',
        'go.js': node.replace('  process.exit(1)\n', '  console.log("no")\n'),
      },
    ],
    [
      'a script of package.json, whatever its name',
      'npm run proof',
      { 'package.json': '{"scripts":{"proof":"sh a.sh"}}', 'a.sh': run },
      { 'package.json': '{"scripts":{"proof":"echo fine"}}', 'a.sh': run },
    ],
    ['a raise of Ruby', 'ruby verify.rb', { 'verify.rb': ruby }, { 'verify.rb': ruby.replace(/abort.*\n/, '') }],
    [
      'a deleted file that a pattern found',
      'sh all.sh',
      { 'all.sh': 'set -e\n. ./more\n', more: '[ "$(./prog)" = 1 ]\n' },
      { 'all.sh': 'set -e\n' },
    ],
    [
      'a check with another value in place of the program',
      'sh checks/run.sh',
      { 'checks/run.sh': run },
      { 'checks/run.sh': lines('set -e', '[ 43 = 43 ]', 'test 44 = 44') },
    ],
    [
      'a check that asks for less',
      'sh checks/run.sh',
      { 'checks/run.sh': run },
      { 'checks/run.sh': run.replace('= 44', '!= ""') },
    ],
    ['a check behind sh -c', `sh -c 'cd x && ./go.sh'`, { 'x/go.sh': run }, { 'x/go.sh': 'true\n' }],
  ])('%s', (_, command, before, after) => {
    expect(weaker(command, before, after)).not.toEqual([])
    expect(weaker(command, before, before)).toEqual([])
  })

  test('a script that no longer names the program that changed', () => {
    const after = { 'checks/run.sh': run.replaceAll('prog.sh', 'fake.sh') }
    expect(weaker('sh checks/run.sh', { 'checks/run.sh': run }, after, { changed: ['prog.sh'] })).toEqual([
      'the files that a check starts no longer name prog.sh, which changed',
    ])
  })

  test('with the first of what is gone', () => {
    expect(
      weaker('bash test.sh', { 'test.sh': diffs }, { 'test.sh': diffs.replace('diff out2 expected2\n', '') }),
    ).toEqual(['test.sh, which a check starts, lost 1 assertion: diff out2 expected2'])
  })
})
