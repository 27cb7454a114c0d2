import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { longTest } from '../testing/long-test.ts'
import type { HostedTool } from './hosted-tools.ts'
import { passRequest, type RequestApi } from './pass-request.ts'

function passText(api: RequestApi, text: string, open: readonly HostedTool[] = [], set: Record<string, string> = {}) {
  const { edits, dropped, refused } = passRequest(api, text, { open, set })
  let [out, at] = ['', 0]
  for (const edit of edits) {
    expect(edit.from).toBeGreaterThanOrEqual(at)
    out += text.slice(at, edit.from) + edit.text
    at = edit.to
  }
  return { out: out + text.slice(at), dropped, refused: refused?.what ?? null }
}
describe('any request', () => {
  const apis = ['chat', 'responses', 'messages', 'count'] as const
  const word = fc.constantFrom('type', 'messages', 'input', 'content', 'tools', 'text', 'image_url', 'url', 'model', 'x', 'tool_choice', 'role', 'store', 'source', 'tool_result', 'function', 'message', 'input_image', 'system', 'include', 'betas') // prettier-ignore
  const { json } = fc.letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 6 },
      word,
      fc.constantFrom(null, true, false, 0, '', 'http://evil.example', 'é"\\'),
      fc.array(tie('json'), { maxLength: 4 }),
      fc.dictionary(word, tie('json'), { maxKeys: 6 }),
    ),
  }))

  test('is passed on as JSON, and passes again unchanged', () => {
    fc.assert(
      fc.property(fc.constantFrom(...apis), fc.dictionary(word, json), fc.constantFrom(0, 1), (api, body, space) => {
        const text = JSON.stringify(body, null, space)
        const once = passText(api, text, [], { model: '"big"' })
        if (once.refused !== null) return
        expect((JSON.parse(once.out) as { model: unknown }).model).toBe('big')
        const again = passText(api, once.out, [], { model: '"big"' })
        expect(again).toEqual({ out: once.out, dropped: [], refused: null })
      }),
      { numRuns: 2000 },
    )
  })

  test.each([
    ['objects within each other', (n: number) => `{"metadata":${'{"a":'.repeat(n)}1${'}'.repeat(n)}}`],
  ] as const)('with fifty thousand of %s is read in the time of a few looks', isRead)
  longTest.each([
    ['names', (n: number) => `{${Array.from({ length: n }, (_, at) => `"k${at}":1`).join(',')}}`],
    ['one name', (n: number) => `{${Array.from({ length: n }, () => '"messages":[]').join(',')}}`],
    [
      'repeated messages',
      (n: number) => `{"messages":[{${Array.from({ length: n }, () => '"content":[{"type":"text"}]').join(',')}}]}`,
    ],
    ['tools', (n: number) => `{"tools":[${Array.from({ length: n }, () => '{"type":"mcp"}').join(',')}]}`],
    ['depth', (n: number) => `{"messages":${'['.repeat(n)}${']'.repeat(n)}}`],
    [
      'schemas',
      (n: number) => `{"tools":[{"name":"a","input_schema":${'{"$ref":{"a":'.repeat(n)}1${'}}'.repeat(n)}}]}`,
    ],
    ['space', (n: number) => `{"model":${' '.repeat(20 * n)}"m"}`],
    ['quotes', (n: number) => `{"model":"${'\\"'.repeat(10 * n)}","input":"${'\\\\'.repeat(10 * n)}"}`],
  ])('with fifty thousand of %s is read in the time of a few looks', isRead)

  function isRead(_: string, make: (n: number) => string): void {
    const text = make(50_000)
    for (const api of apis) passRequest(api, text, { open: [], set: { model: '"m"' } })
  }

  test('leads to at most fifty reported names, each short and plain', () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`${'é\n'.repeat(200)}${at}`, 1]))
    const { dropped } = passText('chat', JSON.stringify(many))
    expect(dropped.length).toBeLessThanOrEqual(50)
    for (const name of dropped) expect(name).toMatch(/^[\x20-\x7e]{1,79}…?$/)
  })
})
