// @suite policy-long
import { spawn } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { git, issues, makeRemote, makeRepository, writeFiles } from '../support/repository.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* Whole executions on projects without a working tree here: one by URL, from a git server, and a bare one by path. */
let world: World
let forge: Server
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
  forge = await serveRepositories(join(world.folder, 'remotes'))
})
afterAll(async () => {
  forge.close()
  forge.closeAllConnections()
  await world.stop()
})

/** Git's own HTTP server, in place of a forge. */
async function serveRepositories(folder: string): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost')
    const child = spawn('git', ['-c', 'http.receivepack=true', 'http-backend'], {
      env: {
        PATH: process.env['PATH'],
        GIT_PROJECT_ROOT: folder,
        GIT_HTTP_EXPORT_ALL: '1',
        REMOTE_USER: 'dev',
        REQUEST_METHOD: request.method,
        PATH_INFO: pathname,
        QUERY_STRING: search.slice(1),
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      },
    })
    request.pipe(child.stdin)
    child.stdin.on('error', () => {})
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.once('close', () => {
      const whole = Buffer.concat(chunks)
      const end = whole.indexOf('\r\n\r\n')
      for (const line of whole.subarray(0, end).toString('latin1').split('\r\n')) {
        const [, name = '', value = ''] = /^([^:]+): (.*)$/.exec(line) ?? []
        if (name === 'Status') response.statusCode = Number.parseInt(value, 10)
        else if (name !== '') response.setHeader(name, value)
      }
      response.end(whole.subarray(end + 4))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

const FILE = '.beads/issues.jsonl'
const WORK = 'beadloom/work'
const lines = (remote: string, branch: string) => git(remote, 'show', `${branch}:${FILE}`).split('\n')
const found = (remote: string, branch: string, id: string) =>
  lines(remote, branch)
    .map((raw) => JSON.parse(raw))
    .find((one) => one.id === id)
const commitsOfBeads = (remote: string) =>
  git(remote, 'log', '--format=%an: %s', `main..${WORK}`)
    .split('\n')
    .filter((line) => line.includes('Beads: '))

test('a bead of a project given by URL is closed on the work branch by one commit, and both sides of a merge stay', async () => {
  const agent = `echo done > done.txt\n${commitAndPush('tr-1', 'One')}`
  const other = '{"id":"tr-2",  "title":"Odd spaces","status":"open", "own":12345678901234567890}'
  const remote = makeRemote(join(world.folder, 'remotes', 'by-url.git'), {
    ...shellProject({ agent, config: { autopilot: false } }),
    [FILE]: `${issues({ id: 'tr-1', title: 'One' })}${other}\n`,
  })
  const source = `http://127.0.0.1:${(forge.address() as AddressInfo).port}/by-url.git`
  const { status, body } = await world.api<ProjectView>('POST', '/api/projects', { source, id: 'by-url' })
  expect(status).toBe(201)
  expect(body.tracker).toMatchObject({ kind: 'branch', writable: true })

  const ended = await world.run('by-url', 'tr-1')
  expect(ended.state, ended.detail).toBe('COMPLETED')
  expect(found(remote, WORK, 'tr-1')).toMatchObject({
    status: 'closed',
    close_reason: `done in Beadloom (${ended.id})`,
    comments: [{ author: 'beadloom', text: expect.stringContaining(ended.id) }],
  })
  expect(lines(remote, WORK)).toHaveLength(2)
  expect(lines(remote, WORK)[1]).toBe(other)
  expect(commitsOfBeads(remote)).toEqual(['Beadloom: Beads: 2 changes'])
  expect(git(remote, 'show', `${WORK}:done.txt`)).toBe('done')
  expect(found(remote, 'main', 'tr-1')).toMatchObject({ status: 'open' })

  // A person continues on the base branch, and then merges the work.
  const clone = join(world.folder, 'clone-by-url')
  git(world.folder, 'clone', '--quiet', remote, clone)
  writeFiles(clone, { [FILE]: `${git(remote, 'show', `main:${FILE}`)}\n${issues({ id: 'tr-3', title: 'Three' })}` })
  git(clone, 'commit', '--quiet', '--all', '--message', 'Plan')
  git(clone, 'push', '--quiet', 'origin', 'HEAD:main')
  await world.api('POST', '/api/projects/by-url/sync')
  const card = async (id: string) =>
    (await world.api<{ status: string }>('GET', `/api/projects/by-url/beads/${id}`)).body.status
  expect([await card('tr-1'), await card('tr-3')]).toEqual(['done', 'open'])
  git(clone, 'fetch', '--quiet')
  git(clone, 'merge', '--quiet', '-m', 'The work', `origin/${WORK}`)
  git(clone, 'push', '--quiet', 'origin', 'HEAD:main')
  await world.api('POST', '/api/projects/by-url/sync')
  expect([await card('tr-1'), await card('tr-3')]).toEqual(['done', 'open'])
  expect(commitsOfBeads(remote)).toEqual([])
})

test("a follow-up is filed there, and an agent's edits of the file are not", async () => {
  const agent = `cat > /tmp/prompt
if grep -q 'Bead #tr-1 ' /tmp/prompt; then echo "BLOCKED: no key"; exit 0; fi
sed -i 's/"open"/"closed"/; s/Title/Hostile/' ${FILE}; echo '{"id":"tr-9","title":"Mine"}' >> ${FILE}
echo done > done.txt\n${commitAndPush('tr-2', 'Two')}`
  const { remote } = await world.addProject('agents', shellProject({ agent, config: { autopilot: false } }), [
    { id: 'tr-1', title: 'Title one' },
    { id: 'tr-2', title: 'Title two' },
  ])
  const blocked = await world.run('agents', 'tr-1')
  expect(blocked.state, blocked.detail).toBe('BLOCKED')
  const [followUp] = blocked.followUps
  expect(found(remote, WORK, 'tr-1')).toMatchObject({ status: 'blocked' })
  expect(found(remote, WORK, followUp?.bead ?? '')).toMatchObject({
    status: 'open',
    labels: expect.arrayContaining(['needs-human']),
    dependencies: [{ depends_on_id: 'tr-1', type: 'discovered-from' }],
  })
  expect(commitsOfBeads(remote)).toHaveLength(1)

  const ended = await world.run('agents', 'tr-2')
  expect(ended.state, ended.detail).toBe('COMPLETED')
  expect(ended.verifications.map(({ purpose }) => purpose)).toEqual(['attempt'])
  expect(found(remote, WORK, 'tr-9')).toBeUndefined()
  expect(git(remote, 'show', `${WORK}:${FILE}`)).not.toContain('Hostile')
  expect(found(remote, WORK, 'tr-1')).toMatchObject({ status: 'blocked' })
  expect(found(remote, WORK, 'tr-2')).toMatchObject({ status: 'closed' })
  expect(git(remote, 'show', `${WORK}:done.txt`)).toBe('done')
  const warnings = (await world.events(ended.id)).filter(({ type }) => type === 'warning')
  expect(warnings).toEqual([
    expect.objectContaining({ data: { text: expect.stringContaining(`changes ${FILE}, so that part was left out`) } }),
  ])
})

test("an agent's edits stay out of a project with a working tree too, where people’s own commits of the file stay", async () => {
  const agent = `sed -i 's/"open"/"closed"/' ${FILE}; echo done > done.txt\n${commitAndPush('tr-1', 'One')}`
  const folder = makeRepository(join(world.folder, 'tree'), {
    ...shellProject({ agent, config: { autopilot: false } }),
    [FILE]: issues({ id: 'tr-1', title: 'One' }, { id: 'tr-2', title: 'Two' }),
  })
  const { status } = await world.api<ProjectView>('POST', '/api/projects', { source: folder, id: 'tree' })
  expect(status).toBe(201)
  writeFiles(folder, { [FILE]: issues({ id: 'tr-1', title: 'One' }, { id: 'tr-2', title: 'Two, renamed' }) })
  git(folder, 'commit', '--quiet', '--all', '--message', 'Rename')
  const ended = await world.run('tree', 'tr-1')
  expect(ended.state, ended.detail).toBe('COMPLETED')
  expect(lines(folder, WORK)).toEqual(lines(folder, 'main'))
  expect(found(folder, WORK, 'tr-2')).toMatchObject({ title: 'Two, renamed', status: 'open' })
  expect(git(folder, 'log', '--format=%s', WORK)).not.toContain('Beads: ')
})
