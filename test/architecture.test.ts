import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { layerOf, violationsIn } from './architecture/check.ts'
import type { SourceFile } from './architecture/check.ts'
import { circlesIn } from './architecture/circles.ts'
import { layers } from './architecture/layers.ts'
import { problemsOf, roomsIn } from './architecture/rooms.ts'
import { importsOf, placesOf } from './architecture/source-text.ts'
import config from '../vitest.config.ts'
import { namedSuites, withLongTests } from './support/suite-files.ts'

const root = join(import.meta.dirname, '..')

type Manifest = { dependencies: Record<string, string> }

/** The files below `folder`, at any depth, whose name matches `named`. */
function filesIn(folder: string, named: RegExp): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && named.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ path: relative(root, file).split(sep).join('/'), text: readFileSync(file, 'utf8') }))
}

const folders = ['packages/core/src', 'packages/agent/src', 'apps/server/src', 'apps/web/src']
const sources = folders.flatMap((folder) => filesIn(folder, /\.[cm]?[jt]sx?$/))

describe('the layers', () => {
  test('hold in every file', () => {
    expect(sources.flatMap(violationsIn)).toEqual([])
  })

  test('were really checked: hundreds of files, more than a thousand imports, every layer', () => {
    expect(sources.length).toBeGreaterThan(200)
    for (const folder of folders)
      expect(sources.filter(({ path }) => path.startsWith(folder)).length).toBeGreaterThan(20)
    expect(sources.flatMap(({ text }) => importsOf(text)).length).toBeGreaterThan(1000)
    const seen = new Set(sources.map(({ path }) => layerOf(path)?.name))
    expect(layers.map(({ name }) => name).filter((name) => !seen.has(name))).toEqual([])
  })
})

test('no files import each other in a circle', () => {
  expect(circlesIn(sources).map((circle) => circle.join(' ↔ '))).toEqual([])
})

test('at most ten functions are longer than the linter allows, and each says why', () => {
  const allowed = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/oxlint-disable(?:-next-line)? max-lines-per-function(.*)/g)].map((found) => ({
      path,
      why: found[1]!.trim(),
    })),
  )
  expect(allowed.filter(({ why }) => !/^-- \S.{20}/.test(why))).toEqual([])
  expect(allowed.length).toBeLessThanOrEqual(10)
})

test('every folder has a README with a line for each file, and no folder is a mere drawer', () => {
  const rooms = roomsIn(folders.flatMap((folder) => filesIn(folder, /\.(?:[cm]?[jt]sx?|css|md)$/)))
  expect(rooms.length).toBeGreaterThan(60)
  expect(rooms.flatMap(problemsOf)).toEqual([])
})

describe('a circle', () => {
  const file = (path: string, ...imports: string[]) => ({
    path,
    text: imports.map((from) => `import type { x } from '${from}'`).join('\n'),
  })

  test('of three files is found, even one of types alone, and named once', () => {
    const files = [file('a/one.ts', './two.ts'), file('a/two.ts', '../b/three.ts'), file('b/three.ts', '../a/one.ts')]
    expect(circlesIn(files)).toEqual([['a/one.ts', 'a/two.ts', 'b/three.ts']])
  })

  test('is not reported when several files import the same file', () => {
    const files = [file('a.ts', './c.ts', './b.ts'), file('b.ts', './c.ts'), file('c.ts')]
    expect(circlesIn(files)).toEqual([])
  })
})

describe('a README of a folder', () => {
  const readme = (text: string) => ({ path: 'src/a/README.md', text })
  const source = (path: string) => ({ path, text: '' })
  const files = [
    source('src/a/one.ts'),
    source('src/a/one.test.ts'),
    source('src/a/deep/two.tsx'),
    source('src/a/deep/two.module.css'),
  ]
  const problems = (text: string) =>
    roomsIn([...files, readme(text)])
      .filter(({ folder }) => folder === 'src/a')
      .flatMap(problemsOf)

  test("is complete with its files and folders, and need not name tests or a component's style sheet", () => {
    expect(problems('# a\n\n- `one.ts`: the first.\n- `deep/`: the rest.\n')).toEqual([])
  })

  test.each([
    ['forgets a file', '- `deep/`: the rest.\n', 'says nothing of one.ts'],
    [
      'names a file that is gone',
      '- `one.ts`: x.\n- `deep/`: x.\n- `old.ts`: x.\n',
      'names old.ts, which is not there',
    ],
    ['names a file and says nothing', '- `one.ts`:\n- `deep/`: x.\n', 'says nothing of one.ts'],
  ])('that %s is reported', (_, text, problem) => {
    expect(problems(text)).toEqual([expect.stringContaining(problem)])
  })

  test('is required in every folder but those of tests', () => {
    expect(roomsIn([source('src/b/x.ts'), source('src/b/testing/y.ts')]).flatMap(problemsOf)).toEqual([
      'src/b has no README.md with a line a file',
    ])
  })
})

test('every file of tests that names a suite names one that there is', () => {
  const names = config.test?.projects?.map((one) => (one as { test: { name: string } }).test.name) ?? []
  expect(names).toContain('policy-long')
  expect(namedSuites().filter((name) => !names.includes(name))).toEqual([])
})

test('every file with long tests is in a suite that runs them', () => {
  const withThem = ['test', ...folders]
    .flatMap((folder) => filesIn(folder, /\.test\.tsx?$/))
    .filter(({ text }) => text.includes("/long-test.ts'\n"))
  const run = ['test/policy', 'test/flow', 'test/e2e', 'test/fuzz', 'apps', 'packages'].flatMap(withLongTests)
  expect(withThem.map(({ path }) => path).toSorted()).toEqual(run.toSorted())
})

test('a digest is made at once and by rules alone: it never waits and asks no model', () => {
  const digests = sources.filter(({ path }) =>
    /^packages\/core\/src\/digest\/(?:(?:tools\/[a-z]+|reading)\/)?[\w-]+\.ts$/.test(path),
  )
  const ours = digests.filter(({ path }) => !path.endsWith('.test.ts'))
  expect(ours.length).toBeGreaterThan(30)
  expect(
    ours.filter(({ text }) => /\basync\b|\bawait\b|\bPromise\b|\bfetch\(/.test(text)).map(({ path }) => path),
  ).toEqual([])
})

test('no library does retries, state machines or summaries for us', () => {
  const manifests = ['packages/core', 'packages/agent', 'apps/server'].map((folder) =>
    readFileSync(join(root, folder, 'package.json'), 'utf8'),
  )
  const names = manifests.flatMap((text) => Object.keys((JSON.parse(text) as Manifest).dependencies))
  expect(names).toContain('better-sqlite3')
  expect(names.filter((name) => /retry|backoff|cockatiel|xstate|langchain|summar|prom-client/.test(name))).toEqual([])
})

describe('the check finds a planted violation:', () => {
  const check = (path: string, ...lines: string[]) => violationsIn({ path, text: lines.join('\n') })

  test.each([
    ['a leaf that knows another leaf', 'apps/server/src/hub/a.ts', "import { x } from '../store/x.ts'"],
    ['a leaf that goes round a folder', 'apps/server/src/hub/deep/a.ts', "import '../../store/x.ts'"],
    ['a workflow at an adapter', 'apps/server/src/workflow/a.ts', "import type { D } from '../container/docker.ts'"],
    ['http at the store', 'apps/server/src/http/a.ts', "export * from '../store/x.ts'"],
    ['a driver away from home', 'apps/server/src/http/a.ts', "import Docker from 'dockerode'"],
    ['a driver brought in at run time', 'apps/server/src/http/a.ts', "const d = await import('better-sqlite3')"],
    ['a driver by require', 'apps/server/src/workflow/a.ts', "const d = require('ws')"],
    ['openai beyond its types in the gateway', 'apps/server/src/gateway/a.ts', "import OpenAI from 'openai'"],
    ['a room of core that knows one above it', 'packages/core/src/bead/a.ts', "import { x } from '../api/x.ts'"],
    [
      'a room of core that knows another on its floor',
      'packages/core/src/bead/a.ts',
      "import { x } from '../verdict/x.ts'",
    ],
    ['core at Node', 'packages/core/src/api/a.ts', "import { readFileSync } from 'node:fs'"],
    ['the server at all of http', 'apps/server/src/link/a.ts', "import { createServer } from 'node:http'"],
    ['core at the whole of zod', 'packages/core/src/api/a.ts', "import { z } from 'zod'"],
    ['core at the server', 'packages/core/src/api/a.ts', "import { x } from '../../../apps/server/src/main.ts'"],
    ['the dashboard at the server', 'apps/web/src/pages/a.tsx', "import { x } from '../../../server/src/main.ts'"],
    ['the dashboard at Node', 'apps/web/src/pages/a.tsx', "import { join } from 'node:path'"],
    ['ui at a bead', 'apps/web/src/ui/a.tsx', "import type { Bead } from '@beadloom/core/records/bead.ts'"],
    ['ui at the router', 'apps/web/src/ui/a.tsx', "import { Link } from '@tanstack/react-router'"],
    [
      'the agent at the server',
      'packages/agent/src/loop/a.ts',
      "import { x } from '../../../apps/server/src/ports/hub.ts'",
    ],
    ['test code in the product', 'packages/core/src/api/a.ts', "import { x } from './testing/x.ts'"],
    ['a folder without a layer', 'apps/server/src/utils/a.ts', 'export const a = 1'],
    ['the environment', 'apps/server/src/hub/a.ts', 'const home = process.env.HOME'],
    ['the environment by index', 'apps/server/src/hub/a.ts', "const env = process['env']"],
    ['the time', 'apps/server/src/workflow/a.ts', 'const at = Date.now()'],
    ['the time as a date', 'packages/core/src/api/a.ts', 'const at = new Date()'],
    ['a stopwatch', 'apps/server/src/workflow/a.ts', 'const at = performance.now()'],
    ['chance', 'packages/core/src/api/a.ts', 'const at = Math.random()'],
    ['a default export', 'packages/core/src/api/a.ts', 'export default 1'],
    ['a default export by name', 'packages/core/src/api/a.ts', 'const a = 1; export { a as default }'],
  ])('%s', (_, path, line) => {
    expect(check(path, '// first', line)).toEqual([
      expect.stringMatching(`^${path}:${path.includes('utils') ? 1 : 2} `),
    ])
  })

  test('an import over several lines, behind a comment and another import', () => {
    const lines = ["import { a } from './a.ts' /* why", 'not */', 'import {', '  x, // why', "} from '../store/x.ts'"]
    expect(check('apps/server/src/hub/a.ts', ...lines)).toEqual([
      expect.stringMatching(/^apps\/server\/src\/hub\/a\.ts:5 /),
    ])
  })

  test.each([
    ['the ports', 'apps/server/src/hub/a.ts', "import type { Hub } from '../ports/hub.ts'"],
    ['core', 'apps/server/src/hub/a.ts', "import { x } from '@beadloom/core/records/ids.ts'"],
    ['a driver at home', 'apps/server/src/store/a.ts', "import Database from 'better-sqlite3'"],
    [
      'types of openai in the gateway',
      'apps/server/src/gateway/a.ts',
      "import type { C } from 'openai/resources/chat'",
    ],
    ['a comment', 'packages/core/src/api/a.ts', "// import fs from 'node:fs'; Date.now()"],
    ['a text', 'packages/core/src/api/a.ts', `const a = "import 'node:fs'; Math.random(); export default 1"`],
    ['a template', 'packages/core/src/api/a.ts', "const a = `import('node:fs') ${b} process.env`"],
    ['a regular expression with quotes', 'packages/core/src/api/a.ts', "const a = /['\"]/.test(b) ? 'Date.now()' : 1"],
    ['a date of a given time', 'packages/core/src/api/a.ts', 'const at = new Date(ms)'],
    ['the time in main', 'apps/server/src/main.ts', 'const at = Date.now()'],
    ['the environment in cli', 'apps/server/src/cli/a.ts', 'const env = process.env'],
    ['the time in a test', 'apps/server/src/hub/a.test.ts', 'const at = Date.now()'],
  ])('and lets %s pass', (_, path, line) => {
    expect(check(path, line)).toEqual([])
  })

  test('code inside a template is code', () => {
    const text = 'const a = `x ${f({ at: Date.now() })} y ${`${Math.random()}`}`\n'
    expect(placesOf(text, /Date\.now|Math\.random/).map((place) => place.text)).toEqual(['Date.now', 'Math.random'])
    expect(check('packages/core/src/api/a.ts', text)).toHaveLength(2)
  })

  test('an apostrophe in the text of a page does not hide the code after it', () => {
    const lines = ["const a = <p>It isn’t, don't</p>", "import { x } from 'node:fs'"]
    expect(check('apps/web/src/pages/a.tsx', ...lines)).toHaveLength(1)
  })
})
