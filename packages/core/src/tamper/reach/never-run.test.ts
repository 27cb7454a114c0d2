import { expect, test } from 'vitest'
import { file, found } from '../../testing/sample-patch.ts'

/* Unchanged assertions within code that certainly does not run, or whose result is ignored. */

const js = (...now: string[]) =>
  file(
    'a.test.ts',
    [" it('a', async () => {", '-  expect(a()).toBe(1)', ...now.map((line) => `+  ${line}`), ' })'].join('\n'),
  )
const python = (...now: string[]) =>
  file(
    'test_a.py',
    [' def test_a(self):', '-    self.assertEqual(a(), 1)', ...now.map((line) => `+    ${line}`)].join('\n'),
  )
const go = (...now: string[]) =>
  file(
    'a_test.go',
    [' func TestA(t *testing.T) {', '-\trequire.Equal(t, 1, A())', ...now.map((line) => `+\t${line}`), ' }'].join('\n'),
  )
const rust = (...now: string[]) =>
  file(
    'tests/a.rs',
    [' #[test]', ' fn one() {', '-    assert_eq!(a(), 1);', ...now.map((line) => `+    ${line}`), ' }'].join('\n'),
  )
const ruby = (...now: string[]) =>
  file('a_spec.rb', [" it 'a' do", '-  expect(a).to eq(1)', ...now.map((line) => `+  ${line}`), ' end'].join('\n'))

test.each([
  ['a finally of Python that returns', python('try:', '    self.assertEqual(a(), 1)', 'finally:', '    return')],
  [
    'a finally that goes on',
    js('for (const b of c) {', '  try {', '    expect(a()).toBe(1)', '  } finally {', '    continue', '  }', '}'),
  ],
  ['an ensure that returns', ruby('begin', '  expect(a).to eq(1)', 'ensure', '  return', 'end')],
  ['a lambda that nothing calls', python('check = lambda: self.assertEqual(a(), 1)')],
  ['an async function that nothing waits for', js(';(async () => { expect(a()).toBe(1) })()')],
  ['an async function of several lines', js(';(async function () {', '  expect(a()).toBe(1)', '})()')],
  ['a generator that nothing goes through', js(';(function* () { expect(a()).toBe(1) })()')],
  ['a generator of several lines', js('function* check() {', '  expect(a()).toBe(1)', '}', 'check()')],
  ['a generator on one line', js('function* check() { expect(a()).toBe(1) }', 'check()')],
  ['a generator of Python', python('def check():', '    yield', '    self.assertEqual(a(), 1)', 'check()')],
  ['a switch on one line', js('switch (0) { case 1: expect(a()).toBe(1) }')],
  ['a switch', js('switch (0) {', '  case 2:', '    break', '  case 1:', '    expect(a()).toBe(1)', '}')],
  ['a match', python('match 0:', '    case 1:', '        self.assertEqual(a(), 1)')],
  ['a switch of Go', go('switch {', 'case false:', '\trequire.Equal(t, 1, A())', '}')],
  ['a case of Ruby', ruby('case 0', 'when 1', '  expect(a).to eq(1)', 'end')],
  ['a block that is left first', js('x: {', '  break x', '  expect(a()).toBe(1)', '}')],
  ['a block on one line', js('x: { break x; expect(a()).toBe(1) }')],
])('an assertion within %s can no longer fail', (_what, change) => {
  expect(found(change)).toHaveLength(1)
})

test('an existing finally may not begin to return', () => {
  const lines = ' def test_a():\n     try:\n         assert a() == 1\n     finally:\n         close()\n+        return'
  expect(found(file('test_a.py', lines)).join()).toContain('1 assertion can no longer fail')
})

test.each([
  ['a finally that cleans up', python('try:', '    self.assertEqual(a(), 1)', 'finally:', '    close()')],
  [
    'a finally that leaves a loop of its own',
    python('try:', '    self.assertEqual(a(), 1)', 'finally:', '    for b in c:', '        if b:', '            break'),
  ],
  ['a lambda that is called', python('check = lambda: self.assertEqual(a(), 1)', 'check()')],
  ['a lambda that is handed on', python('self.retry(lambda: self.assertEqual(a(), 1))')],
  ['a function that is called', js('const check = () => expect(a()).toBe(1)', 'check()')],
  ['an async function that is waited for', js('await (async () => { expect(a()).toBe(1) })()')],
  ['an async function that tells', js(';(async () => {', '  expect(a()).toBe(1)', '  done()', '})()')],
  ['an async function whose end is asked for', js(';(async () => {', '  expect(a()).toBe(1)', '})().then(end, end)')],
  ['a function that is called at once', js(';(() => { expect(a()).toBe(1) })()')],
  [
    'a generator that is gone through',
    js('function* check() {', '  expect(a()).toBe(1)', '}', 'for (const _ of check()) continue'),
  ],
  [
    'a context manager',
    python(
      '@contextmanager',
      'def checked():',
      '    yield',
      '    self.assertEqual(a(), 1)',
      'with checked():',
      '    pass',
    ),
  ],
  ['a panic that is looked at', rust('let r = catch_unwind(|| assert_eq!(a(), 1));', 'assert!(r.is_ok());')],
  ['a panic that goes on', rust('let r = catch_unwind(|| assert_eq!(a(), 1));', 'r.unwrap();')],
  ['the branch that is chosen', js('switch ("b") {', "  case 'b':", '    expect(a()).toBe(1)', '}')],
  ['a branch that another one runs into', js('switch (0) {', '  case 0:', '  case 1:', '    expect(a()).toBe(1)', '}')],
  ['a branch that is chosen by a value', js('switch (kind) {', '  case 1:', '    expect(a()).toBe(1)', '}')],
  [
    'a block that is left on a condition',
    js('x: {', '  for (const b of c) {', '    if (b) break x', '  }', '  expect(a()).toBe(1)', '}'),
  ],
])('an assertion within %s can fail', (_what, change) => {
  expect(found(change)).toEqual([])
})
