// @suite policy-long
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { beadloom, startedServer } from '../support/command-line.ts'

test('budget --json of a server without projects is an empty list, and its text asks for a project', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bl-none-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const data = join(folder, 'data')
  const { line } = await startedServer(data)
  onTestFinished(async () => {
    line.child.kill('SIGTERM')
    await line.ended
  })
  const ask = (...args: string[]) => beadloom(['budget', ...args, '--data', data])
  const { code, stdout } = await ask('--json')
  expect({ code, answer: JSON.parse(stdout) as unknown }).toEqual({ code: 0, answer: { items: [] } })
  expect(await ask()).toMatchObject({ code: 1, stderr: expect.stringContaining('there are no projects yet') })
  expect((await ask('nowhere', '--json')).code).toBe(1)
})
