import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { EnvironmentView } from '@beadloom/core/api/projects/environment-api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { issues, makeRepository } from '../support/repository.ts'
import { World } from '../support/world.ts'
import { removeImages } from './images.ts'

/*
 * A workspace, locked by uv itself, whose own package has the name of another one at PyPI. pip would install that one,
 * and ignore the group with its own version.
 */

let world: World
beforeAll(async () => {
  world = await World.start()
})
afterAll(async () => {
  const projects = world.server.store.projects()
  await world.stop()
  for (const { id } of projects) removeImages(id)
})

const run = promisify(execFile)
const AGENT = 'echo "# changed" >> src/shop/__init__.py && git commit -q -a -m "Change the shop" && git push -q'
const BUILD = '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n'

const FILES = {
  'beadloom.json': JSON.stringify({ agent: 'command', command: AGENT }),
  '.beads/issues.jsonl': issues({ id: 'w-1', title: 'Change the shop' }),
  '.gitignore': '__pycache__\n',
  'pyproject.toml': `[project]
name = "shop"
version = "0.1.0"
requires-python = ">=3.11"
dependencies = ["tomli"]
[dependency-groups]
dev = ["pytest>=8", "iniconfig==2.0.0"]
[tool.uv.sources]
tomli = { workspace = true }
[tool.uv.workspace]
members = ["packages/*"]
${BUILD}`,
  'packages/tomli/pyproject.toml': `[project]\nname = "tomli"\nversion = "0.1.0"\n${BUILD}`,
  'packages/tomli/src/tomli/__init__.py': 'WHO = "our own"\n',
  'packages/tomli/tests/test_who.py': 'from tomli import WHO\n\ndef test_who():\n    assert WHO == "our own"\n',
  'src/shop/__init__.py': 'from tomli import WHO\n',
  'tests/test_who.py': 'from shop import WHO\n\ndef test_who():\n    assert WHO == "our own"\n',
  'tests/test_pinned.py':
    'import importlib.metadata as m\n\ndef test_pinned():\n    assert m.version("iniconfig") == "2.0.0"\n',
}

/** The lock file that uv itself writes. Installs a temporary uv from PyPI for it. */
async function locked(folder: string): Promise<string> {
  const tools = world.newFolder('tools')
  await run('python3', ['-m', 'venv', tools])
  await run(join(tools, 'bin', 'pip'), ['install', '--quiet', 'uv'])
  const source = makeRepository(folder, FILES)
  await run(join(tools, 'bin', 'uv'), ['lock', '--quiet'], { cwd: source })
  await run('git', ['add', 'uv.lock'], { cwd: source })
  await run('git', ['-c', 'user.name=S', '-c', 'user.email=s@example.org', 'commit', '--quiet', '-m', 'Lock'], {
    cwd: source,
  })
  return source
}

test('a uv workspace is set up by uv, and its own package names are never looked up elsewhere', async () => {
  const id = `workspace-${world.server.store.instance.slice(-6).toLowerCase()}`
  const source = await locked(world.newFolder(id))
  const { status } = await world.api('POST', '/api/projects', { source, id })
  expect(status).toBe(201)
  const ended = await world.run(id, 'w-1')
  expect(ended, ended.detail ?? '').toMatchObject({ state: 'COMPLETED' })
  expect(ended.verifications.map(({ tool, collected }) => [tool, collected])).toEqual([['pytest', 3]])
  const { proof, toolchains } = await world.get<EnvironmentView>(`/api/projects/${id}/environment`)
  expect(proof?.state).toBe('green')
  expect(toolchains.toolchains.map(({ tool }) => tool)).toEqual(['python', 'uv'])
})
