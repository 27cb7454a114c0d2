// @suite policy-long
import { execFile, execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { SecretView } from '@beadloom/core/api/settings/secrets-api.ts'
import { bin, cleanEnv } from '../support/command-line.ts'
import { git } from '../support/repository.ts'
import { shellProject } from '../support/shell-project.ts'
import { whatIsMissing } from '../support/process-engine/what-is-missing.ts'
import { worldsOfATest } from '../support/worlds-of-a-test.ts'
import type { World } from '../support/world.ts'

/* Secrets of a project's setup, which nothing else gets. On Docker, with a registry: test/flow/secrets.test.ts. */

const onProcesses = (await whatIsMissing()) === null && process.env['TEST_ENGINE'] !== 'docker'
const start = worldsOfATest()
const CANARY = 'npm_C4nary.Token+8f2e61'

let world: World
const secrets = (project: string) => world.get<{ items: SecretView[] }>(`/api/projects/${project}/secrets`)
const put = (name: string, value: string, project = 'p') =>
  world.api<{ items: SecretView[]; error?: { message: string } }>('PUT', `/api/projects/${project}/secrets/${name}`, {
    value,
  })
const bead = () => world.get<BeadView>('/api/projects/p/beads/s-1')
const stopped = () => world.until(async () => (await bead()).reason?.code === 'base_broken')
const add = (setup: string, more: { agent?: string; config?: object } = {}) =>
  world.addProject(
    'p',
    shellProject({
      agent: more.agent ?? 'env > env.txt; echo "$GREETING" > greeting.txt\n',
      testsFirst: false,
      config: {
        setup,
        secrets: ['NPM_TOKEN'],
        env: { GREETING: 'hello', COUNT: 3 },
        test: 'env; test "$GREETING" = hello && test "$COUNT" = 3',
        ...more.config,
      },
    }),
    [{ id: 's-1', title: 'Look around' }],
  )

/** Every file of the data folder that has this text, except the one that is meant to. */
const filesWith = (text: string, folder: string): string[] => {
  try {
    return execFileSync('grep', ['-rlaF', '--exclude=secrets.json', text, folder], { encoding: 'utf8' })
      .split('\n')
      .filter(Boolean)
  } catch {
    return []
  }
}
afterEach(() => {
  for (const form of [CANARY, encodeURIComponent(CANARY), Buffer.from(CANARY).toString('base64')])
    expect(filesWith(form, world.folder)).toEqual([])
})

test.skipIf(!onProcesses)('a missing secret stops the project, and it continues once the secret is set', async () => {
  world = await start()
  await add('test "$NPM_TOKEN" = "' + CANARY.split('').join('""') + '" && echo done > /home/agent/done')
  const { id } = await world.queue('p', 's-1')
  await stopped()
  expect((await bead()).reason?.text).toContain('Setup needs NPM_TOKEN, which nobody has set on this server')
  expect((await bead()).reason?.text).toContain('beadloom secret set p NPM_TOKEN')
  expect((await secrets('p')).items).toEqual([{ name: 'NPM_TOKEN', set: false, wanted: true }])

  const answer = await put('NPM_TOKEN', CANARY)
  expect([answer.status, answer.body.items]).toEqual([200, [{ name: 'NPM_TOKEN', set: true, wanted: true }]])
  expect(await world.ended(id)).toMatchObject({ state: 'COMPLETED' })
  expect(statSync(join(world.data, 'secrets.json')).mode & 0o777).toBe(0o600)
  await world.api('DELETE', '/api/projects/p/secrets/NPM_TOKEN')
  expect(readFileSync(join(world.data, 'secrets.json'), 'utf8')).toBe('{}\n')
})

test.skipIf(!onProcesses)(
  'only setup has it; agents and checks have the variables, and logs have neither',
  async () => {
    world = await start()
    const pieces = `printf '%s' "$NPM_TOKEN" | while IFS= read -r -n 5 part || test -n "$part"; do printf '%s' "$part"; sleep 0.05; done; echo`
    const forms = `echo "url https://x:$NPM_TOKEN@example.org"; echo "$NPM_TOKEN" >&2; printf '%s' "$NPM_TOKEN" | base64`
    const { remote } = await add(`bash -c '${pieces.replaceAll("'", `'\\''`)}'; ${forms}; echo "greets $GREETING"`, {
      config: { verification: { proveBase: true } },
    })
    await put('NPM_TOKEN', CANARY)
    const ended = await world.run('p', 's-1')
    expect(ended, ended.detail).toMatchObject({ state: 'COMPLETED' })
    const seen = git(remote, 'show', 'beadloom/work:env.txt')
    expect(seen).not.toContain('NPM_TOKEN')
    expect(seen).toContain('GREETING=hello')
    expect(git(remote, 'show', 'beadloom/work:greeting.txt')).toBe('hello')
    const answer = await fetch(`${world.server.url}/api/projects/p/environment/log?of=setup`, {
      headers: { authorization: `Bearer ${world.server.token}` },
    })
    const log = await answer.text()
    expect(log).toContain('url https://x:***@example.org')
    expect(log).toContain('greets hello')
    expect(log.match(/\*\*\*/g)!.length).toBeGreaterThanOrEqual(4)
    expect(log).not.toMatch(/NPM_TOKEN=|C4nary|8f2e61/)
    for (const path of [
      '/api/projects/p/secrets',
      '/api/projects/p/settings',
      '/api/projects/p',
      '/api/projects/p/environment',
    ])
      expect(JSON.stringify(await world.get(path))).not.toContain('C4nary')
  },
)

test.skipIf(!onProcesses)("setup that writes it into a file fails, with the file's name", async () => {
  world = await start()
  await add('mkdir -p deps && echo "token=$NPM_TOKEN" > deps/.npmrc')
  await put('NPM_TOKEN', CANARY)
  await world.queue('p', 's-1')
  await stopped()
  const { proof } = await world.get<{ proof: { text: string; checks: { digest: string }[] } }>(
    '/api/projects/p/environment',
  )
  expect(JSON.stringify(proof)).toContain('setup has written NPM_TOKEN into /workspace/deps/.npmrc')
  await world.api('DELETE', '/api/projects/p')
})

test.skipIf(!onProcesses)('a value that cannot be a secret is refused, and never shown', async () => {
  world = await start()
  await add('true')
  for (const [name, value, status] of [
    ['NPM_TOKEN', 'short', 422],
    ['NPM_TOKEN', `${CANARY}\nmore`, 422],
    ['NPM_TOKEN', `${CANARY} more`, 422],
    ['NPM_TOKEN', 'x'.repeat(5000), 400],
    ['PATH', CANARY, 404],
    ['GIT_DIR', CANARY, 404],
    ['a b', CANARY, 404],
    ['constructor', CANARY, 200],
  ] as const) {
    const answer = await put(encodeURIComponent(name), value)
    expect([name, answer.status]).toEqual([name, status])
    expect(JSON.stringify(answer.body)).not.toContain('C4nary')
  }
  expect((await world.api('PUT', '/api/projects/none/secrets/NPM_TOKEN', { value: CANARY })).status).toBe(404)
  expect((await world.api('DELETE', '/api/projects/p/secrets/NPM_TOKEN')).status).toBe(404)
  expect((await world.api('DELETE', '/api/projects/p')).status).toBe(204)
  expect(readFileSync(join(world.data, 'secrets.json'), 'utf8')).toBe('{}\n')
  expect(readdirSync(world.data).filter((name) => name.includes('secrets'))).toEqual(['secrets.json'])
})

test.skipIf(!onProcesses)('the command line sets it from standard input, and prints it nowhere', async () => {
  world = await start()
  await add('test -n "$NPM_TOKEN"')
  const { id } = await world.queue('p', 's-1')
  await stopped()
  const secret = (args: string[], input = '') =>
    new Promise<{ code: number; said: string }>((resolve) => {
      const call = [bin, 'secret', ...args, '--data', world.data]
      const child = execFile(process.execPath, call, { env: cleanEnv() }, (error, stdout, stderr) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, said: stdout + stderr }),
      )
      child.stdin?.end(input)
    })
  expect(await secret(['list', 'p'])).toEqual({
    code: 0,
    said: expect.stringContaining('missing: beadloom secret set p NPM_TOKEN'),
  })
  const asArgument = await secret(['set', 'p', 'NPM_TOKEN', CANARY])
  expect([asArgument.code, asArgument.said]).toEqual([2, expect.stringContaining('now in your shell history')])
  expect(asArgument.said).not.toContain(CANARY)
  expect(await secret(['set', 'p', 'NPM_TOKEN'], `${CANARY}\n`)).toEqual({ code: 0, said: 'NPM_TOKEN is set.\n' })
  expect(await world.ended(id)).toMatchObject({ state: 'COMPLETED' })
  expect(await secret(['list', 'p'])).toEqual({ code: 0, said: expect.stringMatching(/NPM_TOKEN +set\n/) })
  expect((await secret(['remove', 'p', 'NPM_TOKEN'])).said).toContain('Removed NPM_TOKEN.')
})
