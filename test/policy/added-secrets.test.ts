// @suite policy-long
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { checkRows } from '../support/check-rows.ts'
import { git } from '../support/repository.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* A text that looks like a key reaches no remote, unless a person says that it may. */

let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

// A made-up key, never in one piece here: other people's scanners read this file too.
const halves = ['ghp_Zk3Qv9RtXw7PmLs2', 'Hd8YbNcJf5GaUe4TiVo6'] as const
const key = halves.join('')
/** The agent's script is in the repository, so it must not hold the whole key: a key that was there is not new. */
const leak = `echo "send('${halves.join('""')}')" >> app.js`
const push = commitAndPush('se-1', 'Send it')
const pushIfAny = 'git add -A; git diff --cached --quiet || git commit -q -m "Bead se-1: Send it"; git push -q'
const commit = 'git add -A; git commit -q -m "Bead se-1: Begin"'

type More = { config?: object; files?: Record<string, string> }

async function play(id: string, agent: string, { config = {}, files = {} }: More = {}) {
  const checks = { verify: [{ type: 'test', name: 'tests', command: 'true' }] }
  const project = shellProject({ agent: `cat > /tmp/prompt.$$; ${agent}`, config: { ...checks, ...config } })
  const { remote } = await world.addProject(id, { ...project, 'app.js': 'start()\n', ...files }, [
    { id: 'se-1', title: 'Send it' },
  ])
  return { remote, ended: await world.run(id, 'se-1') }
}

/** Whether the key is in any object of the remote, where anybody could read it. */
const published = (remote: string) =>
  git(remote, 'log', '--all', '-p', '--format=%H %B', '--diff-merges=separate').includes(key)

/** Everything that the server says about an execution. */
async function said(ended: ExecutionView): Promise<string> {
  const events = await world.get(`/api/executions/${ended.id}/events`)
  return JSON.stringify([ended, await world.get(`/api/executions/${ended.id}`), events])
}

describe('a key in the work', () => {
  test('is refused in every attempt, published nowhere, and shown by its first characters', async () => {
    const { remote, ended } = await play(
      'refused',
      `grep -q send app.js || { ${leak}; }; date +%N > note.txt; ${pushIfAny}`,
    )
    expect(ended).toMatchObject({ state: 'FAILED', reason: 'secrets_found', attempt: 3 })
    expect(checkRows(ended).at(-1)).toBe('3.1 no secrets failed')
    expect(ended.verifications.at(-1)?.findings).toEqual([
      expect.stringMatching(/^app\.js:2: github pat \(ghp_…, 40 characters; [0-9a-f]{16}\)$/),
    ])
    expect(ended.followUps).toMatchObject([{ title: 'Secret found: Send it' }])
    expect(await said(ended)).not.toContain(key.slice(0, 12))
    expect(published(remote)).toBe(false)
  })

  test('may be taken out again: the agent is told where it is, and its commits become one', async () => {
    const agent = `if grep -q 'app.js:2: github pat (ghp_' /tmp/prompt.$$; then echo 'send(process.env.TOKEN)' > app.js; else ${leak}; fi; ${push}`
    const { remote, ended } = await play('taken-out', agent)
    expect(ended).toMatchObject({ state: 'COMPLETED', attempt: 2 })
    expect(git(remote, 'show', 'beadloom/work:app.js')).toBe('send(process.env.TOKEN)')
    expect(published(remote)).toBe(false)
    expect(git(remote, 'rev-list', '--count', `beadloom/work..${ended.branch}`)).toBe('0')
    expect(ended.flags.map(({ text }) => text).join()).toContain('its commits become one')
  })

  test('in an earlier commit alone is not published either, and costs no attempt', async () => {
    const { remote, ended } = await play(
      'earlier',
      `${leak}; ${commit}; git checkout -q HEAD~1 -- app.js; echo 'send()' >> app.js; ${push}`,
    )
    expect(ended).toMatchObject({ state: 'COMPLETED', attempt: 1 })
    expect(published(remote)).toBe(false)
  })

  test('is refused even if nothing else is checked', async () => {
    const { remote, ended } = await play('unchecked', `${leak}; ${push}`, { config: { verify: [] } })
    expect(ended).toMatchObject({ state: 'FAILED', reason: 'secrets_found' })
    expect(published(remote)).toBe(false)
  })
})

test('a key is found in bytes, in names and whatever attributes say, and a file that is not read is named', async () => {
  const k = halves.join('""')
  const agent = [
    `printf "\\0send('${k}')" > zero.dat`,
    `printf "send('${k}')" | iconv -t UTF-16LE > wide.txt`,
    `echo '*.c binary' > .gitattributes; echo "send('${k}')" > a.c`,
    `touch "${k}.md"`,
    `head -c 9000000 /dev/zero > big.dat`,
    pushIfAny,
  ].join('; ')
  const { remote, ended } = await play('hidden', agent, {
    config: { verification: { maxAttempts: 1 }, verify: [{ type: 'test', name: 'tests', command: 'true' }] },
  })
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'secrets_found' })
  const found = ended.verifications.at(-1)?.findings ?? []
  expect(found.map((one) => one.replace(/ \(.*/, '')).toSorted()).toEqual([
    'a.c:1: github pat',
    'the name of ghp_….md: github pat',
    'wide.txt:1: github pat',
    'zero.dat:1: github pat',
  ])
  expect(ended.flags.map(({ text }) => text).join()).toContain('big.dat: not searched for secrets (8.6 MiB)')
  expect(JSON.stringify(ended.verifications) + JSON.stringify(ended.flags)).not.toContain(key.slice(0, 12))
  expect(published(remote)).toBe(false)
})

test("a key in a commit's message or author reaches no remote", async () => {
  const k = halves.join('""')
  const agent = `echo 1 > a.txt; git add -A; git commit -q -m "Use ${k}"; echo 2 > a.txt; git add -A; git commit -q --author="${k} <ann@example.org>" -m 'Bead se-1: Send it'; git push -q`
  const { remote, ended } = await play('message', agent)
  expect(ended).toMatchObject({ state: 'COMPLETED', attempt: 1 })
  expect(git(remote, 'show', 'beadloom/work:a.txt')).toBe('2')
  expect(git(remote, 'log', '--all', '--format=%an %cn %B')).not.toContain(key)
  expect(git(remote, 'log', '--all', '--format=%B')).toContain('- Use ***')
})

test('lines that only moved are no new key', async () => {
  const { ended } = await play('moved', `git mv old.js new.js; echo 'more()' >> new.js; cp new.js copy.js; ${push}`, {
    files: { 'old.js': `send('${key}')\n` },
  })
  expect(ended).toMatchObject({ state: 'COMPLETED', flags: [] })
})

describe('a person', () => {
  test('allows one, and the work is published as it is, with their name', async () => {
    const { remote, ended } = await play(
      'allowed',
      `grep -q send app.js || { ${leak}; }; date +%N > note.txt; ${pushIfAny}`,
    )
    const body = { why: 'it is no key', by: 'ann' }
    const done = await world.allow(ended.id, body)
    expect(done.state).toBe('COMPLETED')
    expect(done.sessions.map(({ kind }) => kind)).not.toContain('work')
    expect(done.flags.map(({ text }) => text).join()).toContain('allowed by ann: it is no key')
    expect(await said(done)).not.toContain(key.slice(0, 12))
    expect(published(remote)).toBe(true)
  })

  test('allows no other with it', async () => {
    const other = halves.join('""').replace('Zk3Q', 'Zk3R')
    const agent = `if grep -q send app.js; then echo "send('${other}')" > app.js; else ${leak}; fi; date +%N > note.txt; ${pushIfAny}`
    const one = {
      config: { verification: { maxAttempts: 1 }, verify: [{ type: 'test', name: 'tests', command: 'true' }] },
    }
    const { remote, ended } = await play('allowed-one', agent, one)
    expect((await world.run('allowed-one', 'se-1')).reason).toBe('secrets_found')
    expect(await world.allow(ended.id)).toMatchObject({ state: 'FAILED', reason: 'secrets_found' })
    expect(published(remote)).toBe(false)
  })

  test('is only told of it, or not even told, if the project wants that', async () => {
    const told = await play('told', `${leak}; ${push}`, { config: { verification: { secrets: 'tell' } } })
    expect(told.ended).toMatchObject({ state: 'COMPLETED', flags: [{ kind: 'secrets' }] })
    const off = await play('off', `${leak}; ${push}`, { config: { verification: { secrets: 'off' } } })
    expect(off.ended).toMatchObject({ state: 'COMPLETED', flags: [] })
  })
})
