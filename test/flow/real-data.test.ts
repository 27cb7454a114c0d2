// @suite flow-long
import { execFile as execFileByCallback } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { git, issues, makeRepository } from '../support/repository.ts'
import { World } from '../support/world.ts'

const execFile = promisify(execFileByCallback)

/* Real input: a real project's tracker, and a real library with its own tests in its own runner. */
const data = join(import.meta.dirname, '..', 'data')
let world: World
beforeAll(async () => {
  const scenarios = join(import.meta.dirname, '..', 'scenarios')
  world = await World.start({ scenarios })
})
afterAll(() => world.stop())

const allBeads = async (project: string, query = ''): Promise<BeadCard[]> => {
  const items: BeadCard[] = []
  for (let cursor = ''; ;) {
    const page = await world.get<Page<BeadCard>>(`/api/projects/${project}/beads?limit=200${query}${cursor}`)
    items.push(...page.items)
    if (page.next === undefined) return items
    cursor = `&cursor=${page.next}`
  }
}

test('a real tracker of 2404 beads shows all its live beads and the right ready set', async () => {
  const folder = makeRepository(join(world.folder, 'tracker'), { 'README.md': 'A tracker.\n' })
  mkdirSync(join(folder, '.beads'))
  copyFileSync(join(data, 'beads-2404.jsonl'), join(folder, '.beads', 'issues.jsonl'))
  const { status } = await world.api<ProjectView>('POST', '/api/projects', { source: folder, id: 'tracker' })
  expect(status).toBe(201)
  // Counted in the file itself, not by our reader: everything except tombstones and wisps that leaked into it.
  const lines = readFileSync(join(data, 'beads-2404.jsonl'), 'utf8').split('\n').filter(Boolean)
  const live = lines
    .filter((line) => !/"status":"tombstone"/.test(line) && !/"ephemeral":true/.test(line))
    // Gas Town keeps other things than work there too.
    .filter(
      (line) => !/"issue_type":"(?:agent|role|rig|convoy|molecule)"|"gt:(?:agent|role|rig|convoy|molecule)"/.test(line),
    )
    .map((line) => /^\{"id":"([^"]+)"/.exec(line)?.[1] ?? '')
    .filter((id) => !id.includes('-wisp-') && !id.includes('-mol-'))
  const shown = (await allBeads('tracker')).map(({ id }) => id)
  expect(shown.toSorted()).toEqual(live.toSorted())

  const ready = (await allBeads('tracker', '&ready=true')).map(({ id }) => id)
  const expected = JSON.parse(readFileSync(join(data, 'beads-2404-ready.json'), 'utf8')) as string[]
  expect(ready.toSorted()).toEqual(expected.filter((id) => live.includes(id)).toSorted())
})

test('minimist from the npm registry: one bead by the scripted model, its own tape suite run in the container', async () => {
  const folder = await unpack('minimist@1.2.8', join(world.folder, 'minimist'))
  expect(existsSync(join(folder, 'test', 'bool.js'))).toBe(true)
  writeFileSync(
    join(folder, 'beadloom.json'),
    JSON.stringify({
      techStack: ['JavaScript', 'tape'],
      setup: 'npm install --no-save --no-package-lock --no-audit --no-fund --ignore-scripts tape@5',
      test: "node_modules/.bin/tape 'test/**/*.js'",
      model: 'scripted',
      scenario: 'minimist',
    }),
  )
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n')
  mkdirSync(join(folder, '.beads'))
  writeFileSync(
    join(folder, '.beads', 'issues.jsonl'),
    issues({ id: 'mini-1', title: 'Add a countOf option that counts repeated flags' }),
  )
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '--message', 'Configure')
  await world.api('POST', '/api/projects', { source: folder, id: 'minimist' })
  const ended = await world.run('minimist', 'mini-1')
  expect(ended.state, ended.detail).toBe('COMPLETED')
  const verify = ended.sessions.find(({ kind }) => kind === 'verify')
  const log = await world.log(verify?.id ?? '')
  expect(log).toMatch(/# tests\s+\d{2,}/)
  expect(log).toMatch(/# pass/)
  expect(log).toContain('counts how often a flag was given')
  expect(git(folder, 'show', 'beadloom/work:index.js')).toContain('countOf')
})

/**
 * Makes a git repository of the registry's own tarball. It waits without stopping this process: a connection to the server that
 * idles meanwhile would be found closed only by the next request.
 */
async function unpack(name: string, into: string): Promise<string> {
  mkdirSync(into, { recursive: true })
  const packed = await execFile('npm', ['pack', name, '--silent', '--pack-destination', into], { cwd: into })
  const file = packed.stdout.trim().split('\n').at(-1) ?? ''
  await execFile('tar', ['xzf', file, '--strip-components=1'], { cwd: into })
  rmSync(join(into, file))
  git(into, 'init', '--quiet', '--initial-branch=main')
  git(into, 'add', '--all')
  git(into, 'commit', '--quiet', '--message', name)
  return into
}
