import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { pullRequestStates } from '@beadloom/core/review/pull-request.ts'
import { QueueExecution } from '@beadloom/core/api/executions/execution-requests.ts'
import { LATER, LIFECYCLE } from '@beadloom/core/environment/readers/devcontainer/devcontainer-commands.ts'
import { webhookEvents } from '@beadloom/core/api/settings/webhook-api.ts'
import { executionStates } from '@beadloom/core/records/execution.ts'
import { failureReasons } from '@beadloom/core/records/failure/failure-reason.ts'
import { sessionOutcomes } from '@beadloom/core/records/session.ts'
import { EventLine } from '@beadloom/core/log/event-line.ts'
import { parseProjectConfig } from '@beadloom/core/project/project-config.ts'
import { pages, read, root, rowsOf, section } from './docs/pages.ts'
import { storedEvents, wordsOfType } from './docs/source-lists.ts'

const sorted = (words: readonly string[]) => [...new Set(words)].sort()

describe('the documentation', () => {
  test.each([
    ['schema.mjs', 'the schema of beadloom.json as the server validates it'],
    ['reference.mjs', 'the reference of all settings as the schemas and their words make it'],
  ])('has what scripts/%s makes: %s', (name) => {
    const script = join(root, 'scripts', name)
    expect(() => execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' })).not.toThrow()
  })

  test.each(pages)('%s links only to files and headings that exist', (page) => {
    const links = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target ?? '')
    const local = links.filter((target) => target !== '' && !/^[a-z]+:/.test(target))
    const missing = local.filter((target) => {
      const [path = '', heading] = target.split('#')
      const file = path === '' ? page : join(dirname(page), path)
      if (!existsSync(join(root, file))) return true
      return heading !== undefined && !anchorsOf(read(file)).includes(heading)
    })
    expect(missing).toEqual([])
  })

  test.each(pages)('%s names only files of the repository that exist', (page) => {
    const named = [...read(page).matchAll(/`((?:apps|packages|scripts|docker|docs|test)\/[\w./-]+)`/g)]
    expect(named.map(([, path]) => path ?? '').filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  test('begins with a page that takes three minutes to read: at most 9 KB', () => {
    expect(Buffer.byteLength(read('README.md'))).toBeLessThanOrEqual(9 * 1024)
  })

  test('has no page of more than 3,000 words but the generated reference', () => {
    const long = pages.filter((page) => page.startsWith('docs/') && read(page).split(/\s+/).length > 3000)
    expect(long).toEqual(['docs/configuration/reference.md'])
  })

  test('shows only project settings that the server accepts', () => {
    const shown = pages.map((page) =>
      [...read(page).matchAll(/`beadloom\.json`[^\n]*\n+```json\n([\s\S]*?)```/g)].map(([, text]) => text ?? ''),
    )
    expect(shown.flat().length).toBeGreaterThan(2)
    for (const text of shown.flat()) expect(() => parseProjectConfig(text)).not.toThrow()
  })

  test.each([...LIFECYCLE, ...LATER])("says what becomes of a devcontainer's %s", (key) => {
    expect(section('docs/configuration/environment.md', 'Devcontainers')).toContain(`\`${key}\``)
  })

  test('names every command', () => {
    const help = execFileSync(process.execPath, [join(root, 'apps/server/src/cli/main.ts'), '--help'], {
      encoding: 'utf8',
    })
    const commands = [...(help.split('Commands:')[1]?.split('\n\n')[0] ?? '').matchAll(/^ {2}([a-z]+)[ \n]/gm)].map(
      ([, name]) => name ?? '',
    )
    expect(commands).toContain('doctor')
    const text = read('docs/command-line.md')
    expect(commands.filter((name) => name !== 'help' && !text.includes(`\`beadloom ${name}`))).toEqual([])
  })

  test('explains every setting of a project and of the server', () => {
    const configuration = read('docs/configuration/reference.md')
    const missing = (words: string[], text: string) => words.filter((word) => !text.includes(`\`${word}`))
    expect(missing(keysOf(JSON.parse(read('docs/beadloom.schema.json'))), configuration)).toEqual([])
    const settings = read('apps/server/src/process/settings/settings.ts')
    const variables = [...settings.matchAll(/'((?:BEADLOOM|OPENAI|ANTHROPIC|DOCKER)_[A-Z_]+)'/g)]
    expect(missing([...new Set(variables.map(([, name]) => name ?? ''))], configuration)).toEqual([])
  })

  test('lists every decision', () => {
    const files = readdirSync(join(root, 'docs/decisions')).filter((name) => /^\d{4}-/.test(name))
    const index = read('docs/decisions/README.md')
    expect(files.filter((name) => !index.includes(`(${name})`))).toEqual([])
  })

  test('explains every metric', () => {
    const source = read('apps/server/src/app/health/metrics.ts')
    const metrics = [...source.matchAll(/'((?:beadloom|process)_\w+)'/g)].map(([, name]) => name ?? '')
    expect(metrics.length).toBeGreaterThan(10)
    expect(metrics.filter((name) => !read('docs/metrics.md').includes(`\`${name}\``))).toEqual([])
  })

  test("has every word of the code's glossary", () => {
    const head = read('packages/core/src/records/ids.ts').split('*/')[0] ?? ''
    const words = [...head.matchAll(/^ \* - ([a-z -]+):/gm)].map(([, word]) => word ?? '')
    expect(words.length).toBeGreaterThan(8)
    const glossary = section('CONTRIBUTING.md', 'Words')
    expect(words.filter((word) => !glossary.includes(`| **${word}** |`))).toEqual([])
  })
})

/** Both ways: the page lacks no new entry and keeps no old one. */
describe('the pages of the API have exactly', () => {
  const rows = (heading: string, page = 'docs/api.md') => rowsOf(page, heading)

  test('the routes of the API', () => {
    const folder = 'apps/server/src/api'
    const routes = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('-routes.ts'))
      .flatMap((name) => [...read(`${folder}/${name}`).matchAll(/\bmethod: '(\w+)',\s*path: '([^']+)'/g)])
      .map(([, method = '', path]) => `${method.toUpperCase()} ${path}`)
    expect(routes.length).toBeGreaterThan(25)
    const listed = ['docs/api/routes.md', 'docs/api/work.md'].flatMap((page) => rows('Routes', page))
    expect(sorted(listed)).toEqual(sorted(routes))
  })

  test('the fields of the run body', () => {
    expect(rows('The run body')).toEqual(sorted(Object.keys(QueueExecution.shape)))
  })

  test('the states of an execution, its failure and timeout reasons, its kinds and its flags', () => {
    const types = 'packages/core/src/records/execution.ts'
    expect(rows('Kinds')).toEqual(wordsOfType(types, 'ExecutionKind'))
    expect(rows('States')).toEqual(sorted(executionStates))
    expect(rows('Failure reasons')).toEqual(sorted(failureReasons))
    expect(rows('Timeout reasons')).toEqual(wordsOfType(types, 'TimeoutReason'))
    expect(rows('Flags')).toEqual(wordsOfType(types, 'ExecutionFlag'))
  })

  test('the kinds of sessions and how they end', () => {
    expect(rows('Session kinds')).toEqual(wordsOfType('packages/core/src/records/session.ts', 'SessionKind'))
    expect(rows('Outcomes')).toEqual(sorted(sessionOutcomes))
  })

  test('the types of events, of the server and of its containers', () => {
    const { types, unread } = storedEvents()
    expect(
      unread,
      'give the type as a literal where the event is stored, so that it can be held against the page',
    ).toEqual([])
    expect(types.length).toBeGreaterThan(20)
    // `output` and `raw` are in the log alone (apps/server/src/recorder/event-row.ts).
    const lines = EventLine.def.options.flatMap(({ shape }) => [...shape.type.def.values])
    const claims = lines.filter((type) => type !== 'output' && type !== 'raw')
    expect(rows('Events', 'docs/api/events.md')).toEqual(sorted([...types, ...claims]))
  })

  test('the reasons why a bead does not run', () => {
    const reasons = wordsOfType('packages/core/src/dispatch/reason.ts', 'Reason')
    expect(rows('Why a bead is not running')).toEqual(reasons)
  })
})

test('docs/configuration/server.md has exactly the events of webhooks', () => {
  expect(rowsOf('docs/configuration/server.md', 'Webhooks')).toEqual(sorted(webhookEvents))
})

test('docs/pull-requests.md has exactly the states of a pull request', () => {
  expect(rowsOf('docs/pull-requests.md', 'Pull requests')).toEqual(sorted(pullRequestStates))
})

/** The anchors that forges make from headings. */
function anchorsOf(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading ?? '')
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

type Schema = { properties?: Record<string, Schema>; additionalProperties?: Schema | boolean }

/** `limits.cpus`, `beads`, …: the keys that a person can write, without those below a bead's own id. */
function keysOf({ properties = {} }: Schema, path = ''): string[] {
  return Object.entries(properties).flatMap(([name, child]) => {
    const key = `${path}${name}`
    return child.properties ? keysOf(child, `${key}.`) : [key]
  })
}
