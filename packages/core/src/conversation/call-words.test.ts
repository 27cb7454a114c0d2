import { expect, test } from 'vitest'
import { bodyOf } from './body.ts'
import { callNow, callWords } from './call-words.ts'
import type { CallResult } from './step.ts'

const result = (ok: boolean, text = ''): CallResult => ({
  ok,
  took: '1.0 s',
  body: bodyOf(text === '' ? [] : text.split('\n').map((line, n) => ({ n, text: `  ${line}` })), 0, 2),
})
const words = (tool: string, given: unknown, came: CallResult | null) => {
  const { verb, what, outcome, diff } = callWords(tool, typeof given === 'string' ? given : JSON.stringify(given), came)
  return [verb, what, outcome, ...(diff ? [`+${diff.added} −${diff.removed}`] : [])]
    .filter((one) => one !== '')
    .join(' ')
}

test.each([
  [
    'edit_file',
    { path: 'src/truncate.js', old_text: 'a\nb\nc', new_text: 'a\nB\nd\nc' },
    'edited src/truncate.js +2 −1',
  ],
  ['Edit', { file_path: '/workspace/repo/src/a.js', old_string: 'x', new_string: '' }, 'edited src/a.js +0 −1'],
  ['edit', { filePath: '/workspace/repo/a.js', oldString: 'x', newString: 'y' }, 'edited a.js +1 −1'],
  [
    'edit',
    {
      path: 'a.js',
      edits: [
        { oldText: 'x', newText: 'y' },
        { oldText: 'p', newText: 'p\nq' },
      ],
    },
    'edited a.js +2 −1',
  ],
  [
    'apply_patch',
    [
      { path: '/workspace/repo/more.txt', kind: 'add' },
      { path: 'b', kind: 'update' },
    ],
    'edited more.txt, b',
  ],
  ['write_file', { path: 'new.js', content: 'one\ntwo\n' }, 'wrote new.js +2 −0'],
  ['read_file', { path: 'a.js' }, 'read a.js'],
  ['WebFetch', { url: 'https://example.org' }, 'looked up https://example.org'],
  ['spawn_subagent', { agent: 'code-review-agent', task: 'Look.' }, 'asked code-review-agent'],
  ['TodoWrite', { todos: [] }, 'updated its to-do list'],
  [
    'todowrite',
    { todos: [{ status: 'completed' }, { status: 'in_progress' }, null] },
    'updated its to-do list 1 of 3 done',
  ],
  ['check_token_budget', {}, 'checked its token budget'],
  ['submit_review', { verdict: 'approve' }, 'submitted the review'],
  ['mcp__tickets__create_issue', { title: 'x' }, 'used create_issue of tickets'],
  ['LS', { path: '/workspace/repo/src' }, 'listed src'],
  ['ls', {}, 'listed the folder'],
  ['Grep', { pattern: 'send\\(', path: 'src' }, 'searched for send\\( no hits'],
  ['glob', { pattern: '**/*.ts' }, 'searched for **/*.ts no hits'],
  ['Task', { subagent_type: 'reviewer', prompt: 'Look.' }, 'asked reviewer'],
  ['NotebookRead', { notebook_path: 'a.ipynb' }, 'used NotebookRead: a.ipynb'],
])('%s of %j is said as "%s"', (tool, given, said) => {
  expect(words(tool, given, result(true))).toBe(said)
})

test.each([
  ['ok 1\n# pass 3\n# fail 2\n[exit code 1]', 'ran npm test 2 failed'],
  [' Tests  2 failed | 10 passed (12)\n[exit code 1]', 'ran npm test 2 failed'],
  ['=== 4 failed, 3 passed in 0.1s ===\n[exit code 1]', 'ran npm test 4 failed'],
  ['test result: FAILED. 3 passed; 1 failed; 0 ignored\n[exit code 101]', 'ran npm test 1 failed'],
  ['\u001b[31mTests:       2 failed, 3 total\u001b[39m\n[exit code 1]', 'ran npm test 2 failed'],
  ['sh: nothing\n[exit code 127]', 'ran npm test exit 127'],
  ['nothing', 'ran npm test failed'],
])('a command that printed %j failed so', (text, said) => {
  expect(words('bash', { command: 'npm test' }, result(false, text))).toBe(said)
})

test.each([
  ['Exit code 3\nexpected 4, got 3', 'ran npm test exit 3'],
  [`Exit code 3\n${'a line\n'.repeat(40)}`, 'ran npm test exit 3'],
  ['expected 4, got 3\n\nCommand exited with code 3', 'ran npm test exit 3'],
])('every agent has its own form for the code: %j', (text, said) => {
  expect(words('bash', { command: 'npm test' }, result(false, text))).toBe(said)
})

test('a command that only looks is described by its effect, complete ones alone', () => {
  const looked = (command: string, came = result(true, 'x')) => words('shell', command, came)
  expect(looked(`/bin/bash -lc "sed -n '1,20p' src/a.ts"`)).toBe('read src/a.ts')
  expect(looked(`/bin/bash -lc 'cat missing.txt'`, result(false, 'no such file'))).toBe('could not read missing.txt')
  expect(looked('rg -n send src', result(true, 'a\nb'))).toBe('searched for send 2 hits')
  expect(looked('rg -n send src', result(false, '[exit code 1]'))).toBe('searched for send no hits')
  expect(looked('rg -n send src', result(false, 'rg: src: not found\n[exit code 2]'))).toBe('searched for send failed')
  expect(looked('cat a.ts…')).toBe('ran cat a.ts…')
})

test('a command that passed says how many tests did', () => {
  expect(words('bash', { command: 'npm test' }, result(true, '# pass 13\n# fail 0\n[exit code 0]'))).toBe(
    'ran npm test 13 passed',
  )
})

test.each([
  ['a:1: x\nb:2: x\n[2 matching lines in 2 files]', 'searched for x 2 hits'],
  ['[12 matching lines, the first 5 are shown]', 'searched for x 12 hits'],
  ['a:1: x\n[1,000 matching lines in 5 files; 9 files searched]', 'searched for x 1,000 hits'],
  ['a:1: x\n[the first 100 of 12,345 matching lines in 5 files]', 'searched for x 12,345 hits'],
  ['a:1: x', 'searched for x 1 hit'],
  ['No files found', 'searched for x no hits'],
])('a search that returned %j says what it found', (text, said) => {
  expect(words('search', { pattern: 'x' }, result(true, text))).toBe(said)
})

test('a running call is described as running, and a refused edit as not done', () => {
  expect(words('bash', { command: 'npm test' }, null)).toBe('running npm test')
  expect(words('edit_file', { path: 'a.js' }, result(false, 'old_text is not in a.js'))).toBe('could not edit a.js')
})

test('Codex says the command itself, in a shell of its own', () => {
  expect(words('shell', `/bin/bash -lc 'npm test'`, result(true))).toBe('ran npm test')
})

test('half a document gives the file and the command, and no change', () => {
  expect(words('edit_file', '{"path":"src/a \\"b\\".js","old_text":"abc def…', result(true))).toBe(
    'edited src/a "b".js',
  )
  expect(words('bash', '{"command":"echo one && echo tw…', result(true))).toBe('ran echo one && echo tw……')
})

test('invalid arguments are no reason to fail', () => {
  const given = [
    '',
    '{',
    '[]',
    'null',
    '"',
    '{"path":1}',
    '[null]',
    '{"edits":[null]}',
    '{"command":["a",1]}',
    'x'.repeat(200_000),
  ]
  for (const one of given)
    for (const tool of ['edit', 'bash', 'search', 'apply_patch', 'x', 'constructor', '__proto__', 'toString'])
      expect(callWords(tool, one, result(true)).what.length).toBeLessThanOrEqual(300)
})

test.each([
  ['edit_file', { path: 'a.ts', old_text: 'a', new_text: 'b' }],
  ['bash', { command: 'cat a.ts' }],
  ['todowrite', { todos: [] }],
  ['mcp__docs__look', {}],
])('a call that is being made has the same words if nobody needs its change: %s', (tool, args) => {
  const { kind, verb, what } = callWords(tool, JSON.stringify(args), null)
  expect(callNow(tool, JSON.stringify(args))).toEqual({ kind, verb, what })
})
