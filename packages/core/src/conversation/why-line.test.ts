import { describe, expect, test } from 'vitest'
import { LineWriter, type CallAt } from './why-line.ts'

const call = (at: number, tool: string, given: unknown) => ({
  at,
  tool,
  given: typeof given === 'string' ? given : JSON.stringify(given),
})
const path = 'src/cut.js'
const whyLine = (calls: CallAt<number>[], file: string, text: string) => {
  const writer = new LineWriter<number>(file, text, 100)
  for (const one of calls) writer.take(one)
  return writer.found
}
const edit = (at: number, before: string, after: string) =>
  call(at, 'edit_file', { path, old_text: before, new_text: after })

describe('the call that wrote a line', () => {
  test.each([
    ['the built-in agent', 'edit_file', { path, old_text: 'a', new_text: 'const cut = 1' }],
    ['a new file', 'write_file', { path, content: 'x\nconst cut = 1\n' }],
    ['Claude Code', 'Edit', { file_path: `/workspace/repo/${path}`, old_string: 'a', new_string: 'const cut = 1' }],
    ['opencode', 'edit', { filePath: `/workspace/${path}`, oldString: 'a', newString: 'const cut = 1' }],
    ['pi', 'edit', { path: `./${path}`, edits: [{ oldText: 'a', newText: 'const cut = 1' }] }],
  ])('is known by the text that it wrote: %s', (_, tool, given) => {
    expect(whyLine([call(7, tool, given)], path, 'const cut = 1')).toEqual({ by: 7, sure: true, perhaps: [] })
  })

  test('is the last of several, and then it is not sure', () => {
    expect(whyLine([edit(1, '', 'x'), edit(2, 'x', 'y'), edit(3, 'y', 'x')], path, 'x')).toEqual({
      by: 3,
      sure: false,
      perhaps: [],
    })
  })

  test('is not one that had the line already, edits another file, or only reads', () => {
    expect(whyLine([edit(1, 'x', 'x\ny')], path, 'x').by).toBe(null)
    expect(whyLine([call(1, 'edit_file', { path: 'b.js', old_text: '', new_text: 'x' })], path, 'x').by).toBe(null)
    expect(whyLine([call(1, 'bash', { command: `echo x > ${path}` })], path, 'x')).toEqual({
      by: null,
      sure: false,
      perhaps: [],
    })
  })

  test('is never guessed from half-known calls, which are named', () => {
    const half = `{"path":"${path}","old_text":"a","new_text":"x…`
    const codex = { changes: [{ path, kind: 'update' }] }
    expect(whyLine([call(1, 'edit_file', half), call(2, 'apply_patch', codex)], path, 'x')).toEqual({
      by: null,
      sure: false,
      perhaps: [2, 1],
    })
    expect(whyLine([edit(1, '', 'x'), call(2, 'edit_file', half)], path, 'x')).toMatchObject({ by: 1, sure: false })
    expect(whyLine([call(1, 'edit_file', half), edit(2, '', 'x')], path, 'x')).toMatchObject({ by: 2, sure: true })
  })

  test('costs a diff only for edits of its file, and no more of them than working agents make', () => {
    const others = new LineWriter<number>('other.js', 'x', 100)
    for (let at = 0; at < 100; at++) others.take(edit(at, 'a', 'x'))
    expect(others.diffs).toBe(0)
    const flooded = new LineWriter<number>(path, 'x', 10)
    for (let at = 0; at < 100; at++) flooded.take(edit(at, 'a', 'x'))
    expect(flooded.diffs).toBe(10)
    expect(flooded.found).toEqual({ by: 9, sure: false, perhaps: [99, 98, 97, 96, 95] })
  })

  test('ignores hostile calls', () => {
    const odd = ['null', '[1]', '{"path":{}}', '"'.repeat(5000), `{"path":"${path}","edits":[null,5]}`]
    expect(
      whyLine(
        odd.map((given, at) => call(at, 'edit', given)),
        path,
        'x',
      ).by,
    ).toBe(null)
  })
})
