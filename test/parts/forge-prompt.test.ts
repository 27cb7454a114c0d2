import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PseudoTerminal } from '../support/pseudo-terminal.ts'

/* `beadloom forge add` at a terminal: the typed token stays a secret. */
let data: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'bl-prompt-'))
})
afterEach(() => rmSync(data, { recursive: true }))

const CANARY = 'ghp_C4naryC4naryC4nary'
const asking = () => new PseudoTerminal(['forge', 'add', 'github.com', '--data', data], { columns: 100, rows: 30 })

test('a token that is typed at a terminal is kept, and not shown on it', async () => {
  const terminal = asking()
  await terminal.shows(/input hidden: $/)
  terminal.press(`${CANARY}\r`)
  expect(await terminal.ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/✓ github\.com/) })
  expect(terminal.output).not.toContain(CANARY.slice(0, 6))
  expect(JSON.parse(readFileSync(join(data, 'forges.json'), 'utf8'))).toEqual({
    'github.com': { kind: 'github', token: CANARY },
  })
})

test('Ctrl-C at the prompt writes nothing and ends with 130', async () => {
  const terminal = asking()
  await terminal.shows(/input hidden: $/)
  terminal.press(`${CANARY}\x03`)
  expect(await terminal.ended).toMatchObject({ code: 130, stdout: expect.stringMatching(/nothing was changed/) })
  expect(terminal.output).not.toContain(CANARY.slice(0, 6))
  expect(existsSync(join(data, 'forges.json'))).toBe(false)
})
