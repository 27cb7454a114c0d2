import { expect, test } from 'vitest'
import { keysIn, mergedText, unsaid } from './merge-proposal.ts'

const config = { setup: 'npm ci', verify: [{ type: 'test' as const, command: 'npm test' }] }
const place = { file: 'package.json', line: 1 }
const proposal = {
  config,
  from: [
    { key: 'setup' as const, place },
    { key: 'verify' as const, place },
  ],
  open: [],
}

test.each([
  [['model'], ['setup', 'verify']],
  [['setup'], ['verify']],
  [['test'], ['setup']],
  [['setup', 'verify'], []],
])('beside %j a proposal has %j', (keys, left) => {
  expect(Object.keys(unsaid(proposal, keys).config)).toEqual(left)
  expect(unsaid(proposal, keys).from.map(({ key }) => key)).toEqual(left)
})

test('toolchains are not proposed beside an image', () => {
  expect(unsaid({ ...proposal, config: { toolchains: { go: '1.24' } } }, ['image']).config).toEqual({})
})

test.each([
  '{\n    "model": "m",\n    "slots": { "limit": 1 }\n}\n',
  '{"model":"m","slots":{"limit":1}}',
  '{}',
  '{\n}\n',
])('existing text in %j stays as it is written', (text) => {
  const merged = mergedText(text, config)
  expect(JSON.parse(merged)).toEqual({ ...(JSON.parse(text) as object), ...config })
  expect(merged.startsWith(text.slice(0, text.lastIndexOf('}')).trimEnd())).toBe(true)
  expect(merged.endsWith(text.slice(text.lastIndexOf('}')))).toBe(true)
})

test('keys are indented like the existing ones', () => {
  expect(mergedText('{\n\t"model": "m"\n}\n', { setup: 'x' })).toBe('{\n\t"model": "m",\n\t"setup": "x"\n}\n')
})

test('a value that is no object has no keys', () => {
  for (const text of ['', '[]', 'null', '{ // ours\n}']) expect(keysIn(text)).toBeNull()
  expect(keysIn('{"a":1}')).toEqual(['a'])
})
