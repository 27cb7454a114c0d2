// @suite unit-long
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { digestText } from './digest-reader.ts'
import { fixture } from './testing/fixture.ts'
import { digestTools } from './tools.ts'

const folder = join(import.meta.dirname, 'fixtures')
/** Outputs of several tools or packages, each with a test of its own. */
const mixed = ['packages', 'several']
const folders = readdirSync(folder).filter((name) => !mixed.includes(name))
const outputs = folders.flatMap((tool) =>
  readdirSync(join(folder, tool)).map((file) => [`${tool}/${file.replace(/\.txt$/, '')}`, tool] as const),
)

/** These print failures of the tools that they run, above their own. */
const inside: Record<string, readonly string[]> = {
  'cargo-test': ['cargo-build'],
  clippy: ['cargo-build'],
  'go-test': ['go-build', 'go-vet'],
  make: ['gcc', 'clang', 'googletest', 'sanitizers'],
  maven: ['javac'],
}

describe('the real outputs of all tools', () => {
  test.each(outputs)('%s has the failures of no other tool', (name, tool) => {
    const alone = digestText(fixture(name), { tool })
    const among = digestText(fixture(name))
    if (inside[tool]?.includes(among.tool)) return
    const tools = among.digest.match(/^\[(?:BUILD|TEST|LINT)\] /gm) ?? []
    if (alone.failures === null || alone.failures === 0) expect(among.failures ?? 0).toBe(0)
    else if (tools.length > 1 && inside[tool]) expect(among.tool).toBe(tool)
    else expect(among).toMatchObject({ tool, failures: alone.failures })
  })

  /** Documents of one line are cut if each line has a prefix, and redrawn lines lose the prefix. */
  const whole = outputs.filter(([name]) => !/json|terminal$/.test(name))
  const keysOf = (text: string): string[] =>
    digestText(text)
      .findings.map((key) => key.replace(': cart: ', ': '))
      .toSorted()

  test.each(whole)('%s is the same in a log of a CI system and in the stream of a package', (name) => {
    const text = fixture(name)
    if ((digestText(text).failures ?? 0) === 0) return
    const keys = keysOf(text)
    const lines = text.split('\n')
    expect(keysOf(lines.map((line, at) => `2026-11-22T23:54:${10 + (at % 50)}.1234567Z ${line}`).join('\r\n'))).toEqual(
      keys,
    )
    const stream = lines.map((line) => `packages/cart test: ${line}`)
    expect(keysOf(['packages/cart test$ run', ...stream, 'packages/cart test: Failed'].join('\n'))).toEqual(keys)
  })

  test('exist for each tool, failed and passed', () => {
    expect(digestTools.filter(({ name }) => !folders.includes(name)).map(({ name }) => name)).toEqual([])
  })
})
