import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { EnvironmentView } from '@beadloom/core/api/projects/environment-api.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { issues, makeRepository, writeFiles, type Files } from '../support/repository.ts'
import { World } from '../support/world.ts'
import { removeImages } from './images.ts'

/*
 * Projects with devcontainers of different kinds, from `project add` to COMPLETED. `beadloom.json` only names an agent
 * that needs no model. There is no image registry: the images that a devcontainer names were made here before.
 */

const CANARY = 'canary-of-the-server-8f2c'
/** A person's own image, with content that no image of ours has. */
const own = `beadloom-test/dev:${process.pid}`

let world: World
const docker = (...args: string[]): string => execFileSync('docker', args, { encoding: 'utf8' })
const linesOf = (text: string): string[] => text.split('\n').filter(Boolean)

beforeAll(async () => {
  world = await World.start({ env: { ...process.env, SECRET_TOKEN: CANARY }, config: { images: [own] } })
})
afterAll(async () => {
  const projects = world.server.store.projects()
  await world.stop()
  for (const { id } of projects) removeImages(id)
  if (linesOf(docker('images', '--quiet', own)).length > 0) docker('rmi', '--force', own)
})

const AGENT = 'echo done > NOTE.md && git add -A && git commit -q -m "Add a note" && git push -q'

function repositoryOf(id: string, files: Files): string {
  return makeRepository(world.newFolder(id), {
    'beadloom.json': JSON.stringify({ agent: 'command', command: AGENT }),
    '.beads/issues.jsonl': issues({ id: 'd-1', title: 'Add a note' }),
    ...files,
  })
}

/** The id of a project of this run alone. */
const idOf = (name: string): string => `${name}-${world.server.store.instance.slice(-6).toLowerCase()}`
const environment = (id: string) => world.get<EnvironmentView>(`/api/projects/${id}/environment`)

/** Adds the project and runs its bead; returns the end, or the reason why it cannot start. */
async function toTheEnd(id: string, source: string): Promise<{ state: string; detail: string }> {
  const { status, body } = await world.api('POST', '/api/projects', { source, id })
  expect(status, JSON.stringify(body)).toBe(201)
  const queued = await world.queue(id, 'd-1')
  let end = { state: '', detail: '' }
  await world.until(async () => {
    const execution = await world.execution(queued.id)
    const { proof } = await environment(id)
    if (isTerminal(execution.state)) end = { state: execution.state, detail: execution.detail ?? '' }
    else if (proof?.state === 'broken') end = { state: 'not started', detail: JSON.stringify(proof) }
    return end.state !== ''
  })
  return end
}

/** All metadata of the image of a project's containers. */
function imageOf(id: string): string {
  const [image = ''] = linesOf(docker('images', '--quiet', '--filter', `reference=beadloom/project-${id}`))
  return docker('image', 'inspect', image) + docker('history', '--no-trunc', image)
}

test('features: known ones are toolchains of ours, those of the repository are installed, commands are in setup', async () => {
  const id = idOf('features')
  const source = repositoryOf(id, {
    '.devcontainer.json': JSON.stringify({
      features: {
        'ghcr.io/devcontainers/features/go:1': { version: '1.24' },
        './tools/greeting': { whom: "it's you" },
      },
      containerEnv: { MODE: 'of-devcontainer', TOKEN: '${localEnv:SECRET_TOKEN}' },
      postCreateCommand: { a: 'greeting > "$HOME/greeted"', b: ['sh', '-c', 'go version > "$HOME/go-version"'] },
    }),
    'tools/greeting/devcontainer-feature.json': JSON.stringify({
      id: 'greeting',
      options: { whom: { type: 'string', default: 'nobody' } },
      containerEnv: { GREETING_HOME: '/opt/greeting' },
    }),
    'tools/greeting/install.sh': `#!/bin/sh
mkdir -p "$GREETING_HOME" && printf '#!/bin/sh\\necho "hello %s"\\n' "$WHOM" > /usr/local/bin/greeting
chmod 755 /usr/local/bin/greeting && env > /opt/greeting/env
`,
    Makefile: `test:
	test "$$MODE" = of-devcontainer && test -z "$$TOKEN"
	test "$$(greeting)" = "hello it's you" && test "$$(cat $$HOME/greeted)" = "hello it's you"
	grep -q 'go1.24' $$HOME/go-version
	! grep -q ${CANARY} /opt/greeting/env
`,
  })
  const { state, detail } = await toTheEnd(id, source)
  const { devcontainer, toolchains, found } = await environment(id)
  expect(devcontainer?.features).toMatchObject([{ folder: 'tools/greeting', from: { file: '.devcontainer.json' } }])
  expect(toolchains.toolchains).toMatchObject([{ tool: 'go', version: '1.24', place: { file: '.devcontainer.json' } }])
  expect(found.refused.map(({ what }) => what)).toEqual(['containerEnv.TOKEN'])
  expect(state, detail).toBe('COMPLETED')
  expect(imageOf(id)).not.toContain(CANARY)
})

test('an image: it is used as it is, and a known feature is laid over it', async () => {
  const [base = ''] = linesOf(docker('images', '--format', '{{.Repository}}:{{.Tag}}', 'beadloom/base'))
  execFileSync('docker', ['build', '--quiet', '--tag', own, '-'], {
    input: `FROM ${base}\nRUN echo own > /etc/own-image\n`,
    env: { ...process.env, DOCKER_BUILDKIT: '0' },
  })
  const id = idOf('image')
  const source = repositoryOf(id, {
    '.devcontainer/devcontainer.json': JSON.stringify({
      image: own,
      features: {
        'ghcr.io/devcontainers/features/node:1': { version: '20' },
        'ghcr.io/devcontainers/features/git:1': {},
      },
      runArgs: ['--privileged'],
      mounts: ['source=/,target=/host,type=bind'],
      initializeCommand: `touch ${join(world.folder, 'initialized')}`,
      onCreateCommand: 'echo created > .made',
    }),
    '.gitignore': '.made\n',
    Makefile: `test:
	grep -q own /etc/own-image && node --version | grep -q '^v20' && npm --version && test ! -e /host && cat .made
`,
  })
  const { state, detail } = await toTheEnd(id, source)
  const { devcontainer, found } = await environment(id)
  expect(devcontainer).toMatchObject({ image: own, from: { file: '.devcontainer/devcontainer.json' } })
  expect(found.refused.map(({ what }) => what).sort()).toEqual(['initializeCommand', 'mounts', 'runArgs'])
  expect(state, detail).toBe('COMPLETED')
  expect(() => execFileSync('ls', [join(world.folder, 'initialized')], { stdio: 'pipe' })).toThrow()
})

test('a Dockerfile: it is built from the base commit alone, with its arguments, as far as its stage', async () => {
  const [base = ''] = linesOf(docker('images', '--format', '{{.Repository}}:{{.Tag}}', 'beadloom/base'))
  const id = idOf('dockerfile')
  const source = repositoryOf(id, {
    '.devcontainer/one/devcontainer.json': JSON.stringify({
      build: {
        dockerfile: '../../ci/Dockerfile',
        context: '../../ci',
        target: 'dev',
        args: { COLOUR: 'green', TOKEN: '${localEnv:SECRET_TOKEN}' },
      },
      updateContentCommand: 'cat /opt/colour > "$HOME/colour"',
    }),
    'ci/Dockerfile': `FROM ${base} AS dev
ARG COLOUR
ARG TOKEN
COPY . /opt/ci/
RUN echo "$COLOUR" > /opt/colour && env > /opt/env && test -z "$TOKEN"
FROM scratch
`,
    'ci/committed.txt': 'committed\n',
    Makefile: `test:
	grep -q green $$HOME/colour && grep -q committed /opt/ci/committed.txt
	test ! -e /opt/ci/untracked.txt && test ! -e /opt/ci/ci && ! grep -q ${CANARY} /opt/env
`,
  })
  writeFiles(source, { 'ci/untracked.txt': 'of the working tree' })
  writeFileSync(join(source, 'ci/committed.txt'), 'changed and not committed\n')
  const { state, detail } = await toTheEnd(id, source)
  const { devcontainer, found } = await environment(id)
  expect(devcontainer).toMatchObject({ dockerfile: { path: 'ci/Dockerfile', context: 'ci', target: 'dev' } })
  expect(found.refused.map(({ what }) => what)).toEqual(['build.args'])
  expect(state, detail).toBe('COMPLETED')
  expect(imageOf(id)).not.toContain(CANARY)
})

test.each([
  [
    'a feature that only a registry has',
    { features: { 'ghcr.io/x/y:1': {} } },
    /asks for the feature ghcr\.io\/x\/y:1/,
  ],
  [
    'a Dockerfile that is not there',
    { build: { dockerfile: 'Nowhere' } },
    /names \.devcontainer\/Nowhere, which is not in/,
  ],
  [
    'a context that is not there',
    { build: { dockerfile: '../Dockerfile', context: 'nowhere' } },
    /names \.devcontainer\/nowhere, which is not in/,
  ],
  ['an image that cannot be had', { image: 'ghcr.io/none/none:1' }, /ghcr\.io\/none\/none:1 is not on this machine/],
  [
    'an image of this machine',
    { image: 'localhost:1/none:1' },
    /localhost:1\/none:1 is not used .* no repository has the engine ask/,
  ],
])('%s gives way to our own image, with a note about the missing part', async (name, json, words) => {
  const id = idOf(name.replace(/[^a-z]+/g, '-').slice(0, 24))
  const source = repositoryOf(id, {
    '.devcontainer/devcontainer.json': JSON.stringify(json),
    Dockerfile: 'FROM scratch\n',
    Makefile: 'test:\n\ttrue\n',
  })
  const { state, detail } = await toTheEnd(id, source)
  expect(state, detail).toBe('COMPLETED')
  const { warnings } = await world.get<ProjectView>(`/api/projects/${id}`)
  expect(warnings).toContainEqual(expect.stringMatching(words))
  expect(warnings.join(' ')).toContain("so Beadloom's own image is used")
})
