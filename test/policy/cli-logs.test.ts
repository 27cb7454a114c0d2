// @suite policy-long
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { beadloom, bin } from '../support/command-line.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { TerminalWorld } from '../support/terminal-world.ts'
import { UnsteadyProxy } from '../support/unsteady-proxy.ts'

/* `beadloom logs`: over connections that break, in pipes, without a log, and with whose token. */
let world: TerminalWorld
beforeAll(async () => {
  world = await TerminalWorld.start({ engine: 'process' })
})
afterAll(() => world.close())

const bl: TerminalWorld['bl'] = (...args) => world.bl(...args)
const json: TerminalWorld['json'] = (...args) => world.json(...args)
const addProject: TerminalWorld['addProject'] = (...args) => world.addProject(...args)

describe('logs', () => {
  const ESCAPES = String.raw`\033[31mred\033[0m \033]0;owned\007title \033[2Jwiped \302\2332Jc1`
  const loud = shellProject({
    agent: `cat > /dev/null
printf '${ESCAPES}\\n'
i=0; while [ $i -lt 10000 ]; do echo "line $i of what the agent has to say about it"; i=$((i+1)); done
test -f first && echo hello > greeting.txt; touch first
${commitAndPush('lo-1', 'Talk')}`,
    test: 'i=0; while [ $i -lt 500 ]; do echo "check $i"; i=$((i+1)); done; test -f greeting.txt\n',
  })

  test('are followed over lost connections and several sessions, each line once; a pipe gets no colours', async () => {
    await addProject('loud', loud, [{ id: 'lo-1', title: 'Talk' }])
    const proxy = await UnsteadyProxy.before(new URL(world.up.url), 150_000)
    const behind = join(world.folder, 'behind-proxy')
    mkdirSync(behind)
    writeFileSync(join(behind, 'token'), readFileSync(join(world.data, 'token')))
    writeFileSync(join(behind, 'server.json'), JSON.stringify({ url: proxy.url, pid: process.pid }))
    const { id } = await json<ExecutionView>('run', 'lo-1')
    const { code, stdout, stderr } = await beadloom(['logs', '-f', id, '--data', behind])
    proxy.close()
    expect(code).toBe(0)
    expect(proxy.lost).toBeGreaterThan(4)
    expect(stderr).toContain('✓ lo-1 COMPLETED')
    expect(stdout).toBe((await bl('logs', id)).stdout)

    const { execution, logs } = await json<{ execution: ExecutionView; logs: { kind: string; text: string }[] }>(
      'logs',
      'lo-1',
    )
    expect(execution).toMatchObject({ id, state: 'COMPLETED', attempt: 2 })
    expect(logs.map(({ kind }) => kind).filter((kind) => kind !== 'setup')).toEqual([
      'work',
      'verify',
      'verify', // the failed check, once more on the same commit
      'work',
      'verify',
    ])
    const sorted = (text: string, what: RegExp) => (text.match(what) ?? []).length
    expect(sorted(stdout, /line \d+ of what/g)).toBe(20_000)
    expect(sorted(stdout, /check \d+$/gm)).toBe(1500)

    // oxlint-disable-next-line no-control-regex
    expect(stdout).not.toMatch(/[\u001b\u0080-\u009f]/)
    expect(stdout).toContain('red title wiped 2Jc1')
    const coloured = await beadloom(['logs', id, '--data', world.data], { env: { FORCE_COLOR: '1' } })
    expect(coloured.stdout).toContain('\u001b[31mred\u001b[0m title wiped 2Jc1')
  })

  test('have the time of each line on request, the same while they are followed and afterwards', async () => {
    const { stdout: plain } = await bl('logs', 'lo-1')
    const { stdout: timed } = await bl('logs', '--times', 'lo-1')
    const followed = await bl('logs', '-f', '--times', 'lo-1')
    expect(followed.stdout).toBe(timed)
    const heading = /^── /
    const lines = timed.split('\n').slice(0, -1)
    const times = lines.filter((line) => !heading.test(line)).map((line) => Date.parse(line.slice(0, 29)))
    expect(times.every((time) => Math.abs(time - Date.now()) < 3_600_000)).toBe(true)
    expect(lines.map((line) => `${heading.test(line) ? line : line.slice(30)}\n`).join('')).toBe(plain)
    const { execution, logs } = await json<{ execution: ExecutionView; logs: { text: string }[] }>(
      'logs',
      '--times',
      'lo-1',
    )
    const utc = logs.flatMap(({ text }) => text.match(/^2\d{3}-\S+Z /gm) ?? []).map((time) => Date.parse(time))
    expect(utc).toHaveLength(times.length)
    expect(utc.filter((time) => time < execution.queuedAt || time > Date.now())).toEqual([])
  })

  test('can be cut by `head` without a word', async () => {
    const run = promisify(execFile)
    const { stdout, stderr } = await run('bash', [
      '-c',
      `set -o pipefail; "${process.execPath}" "${bin}" logs lo-1 --data "${world.data}" | head -n 2`,
    ])
    expect(stdout.split('\n')).toHaveLength(3)
    expect(stderr).toBe('')
  })

  test('of a bead that never ran say so', async () => {
    await addProject('idle', shellProject({ agent: 'true\n' }), [{ id: 'id-1', title: 'Wait' }])
    expect(await bl('logs', 'id-1')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'beadloom: the bead id-1 has not run yet. Run it: beadloom run id-1\n',
    })
    expect(await bl('logs', '-f', 'ex-0000000000')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'beadloom: there is no execution "ex-0000000000"\n',
    })
  })
})

describe('a token file of another server', () => {
  test('is named', async () => {
    const other = join(world.folder, 'other')
    mkdirSync(other)
    writeFileSync(join(other, 'server.json'), JSON.stringify({ url: world.up.url, pid: world.up.pid }))
    for (const token of ['not a token', '']) {
      writeFileSync(join(other, 'token'), token)
      const { code, stderr } = await beadloom(['status', '--data', other])
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: `beadloom: the server at ${world.up.url} does not accept the token in ${join(other, 'token')}: the file was changed after the server started. Restart the server.\n`,
      })
    }
    writeFileSync(join(other, 'token'), 'A'.repeat(43))
    const { code, stderr } = await beadloom(['status', '--data', other])
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('so the token was not sent') })
  })
})
