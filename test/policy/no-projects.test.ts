import { expect, test } from 'vitest'
import { CommandLine, startedServer } from '../support/command-line.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

test('budget --json of a server without projects is an empty list, and its text asks for a project', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bl-none-'))
  const { line } = await startedServer(join(folder, 'data'))
  const ask = (...args: string[]) => new CommandLine(['budget', ...args, '--data', join(folder, 'data')]).ended
  const { code, stdout } = await ask('--json')
  expect({ code, answer: JSON.parse(stdout) as unknown }).toEqual({ code: 0, answer: { items: [] } })
  expect(await ask()).toMatchObject({ code: 1, stderr: expect.stringContaining('there are no projects yet') })
  expect((await ask('nowhere', '--json')).code).toBe(1)
  line.child.kill('SIGTERM')
  await line.ended
  rmSync(folder, { recursive: true, force: true })
})
