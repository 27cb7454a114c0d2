import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runSuite } from './bench-suite.ts'

/* The suite itself takes hours and needs an engine. Scripts replace it, one for each way in which it can end. */

describe('the trial of a set', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'bl-bench-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))
  const suite = (text: string): string => {
    const file = join(folder, 'suite.mjs')
    writeFileSync(file, text)
    return file
  }

  test("returns the suite's summary, and passes the options on unchanged", async () => {
    const print = `console.log(JSON.stringify({ wrong: { tried: 2, passed: 1 }, right: { tried: 0, refused: 0 }, left: 3,
      false: [{ id: process.argv.slice(2).join(' '), state: 'COMPLETED', reason: null }] }))`
    const summary = await runSuite(['--set', 'polyglot', '--sample', '2'], suite(print))
    expect(summary).toEqual({
      wrong: { tried: 2, passed: 1 },
      right: { tried: 0, refused: 0 },
      left: 3,
      false: [{ id: '--set polyglot --sample 2 --json', state: 'COMPLETED', reason: null }],
    })
  })

  test('is refused if there is no suite, or the suite failed', async () => {
    await expect(runSuite([], join(folder, 'nothing.mjs'))).rejects.toThrow('only a checkout of Beadloom')
    await expect(runSuite([], suite('process.exit(1)'))).rejects.toMatchObject({ exit: 1 })
    await expect(runSuite([], suite('process.exit(2)'))).rejects.toMatchObject({ exit: 2 })
  })

  test('says how to continue after Ctrl-C', async () => {
    await expect(runSuite([], suite('process.exit(130)'))).rejects.toMatchObject({
      exit: 130,
      message: 'interrupted. Run the same command again to continue.',
    })
  })
})
