import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseProjectConfig } from '@beadloom/core/project/project-config.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

describe('the documentation', () => {
  test('has the schema of beadloom.json as the server validates it', () => {
    const script = join(root, 'scripts', 'schema.mjs')
    expect(() => execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' })).not.toThrow()
  })

  test.each(pages)('%s links only to files that exist', (page) => {
    const links = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target?.split('#')[0] ?? '')
    const local = links.filter((target) => target !== '' && !/^[a-z]+:/.test(target))
    expect(local.filter((target) => !existsSync(join(root, dirname(page), target)))).toEqual([])
  })

  test.each(pages)('%s names only files of the repository that exist', (page) => {
    const named = [...read(page).matchAll(/`((?:apps|packages|scripts|docker|docs|test)\/[\w./-]+)`/g)]
    expect(named.map(([, path]) => path ?? '').filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  test('shows settings of a project that the server takes', () => {
    const blocks = ['README.md', 'docs/configuration.md'].flatMap((page) =>
      [...read(page).matchAll(/`beadloom\.json`[^\n]*\n+```json\n([\s\S]*?)```/g)].map(([, text]) => text ?? ''),
    )
    expect(blocks.length).toBeGreaterThan(1)
    for (const text of blocks) expect(() => parseProjectConfig(text)).not.toThrow()
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
    const configuration = read('docs/configuration.md')
    const missing = (words: string[], text: string) => words.filter((word) => !text.includes(`\`${word}`))
    expect(missing(keysOf(JSON.parse(read('docs/beadloom.schema.json'))), configuration)).toEqual([])
    const settings = read('apps/server/src/process/settings.ts')
    const variables = [...settings.matchAll(/'((?:BEADLOOM|OPENAI|ANTHROPIC|DOCKER)_[A-Z_]+)'/g)]
    expect(missing([...new Set(variables.map(([, name]) => name ?? ''))], configuration)).toEqual([])
  })

  test('has every route of the API', () => {
    const routes = readdirSync(join(root, 'apps/server/src/http/routes'))
      .filter((name) => name.endsWith('-routes.ts'))
      .flatMap((name) => [...read(`apps/server/src/http/routes/${name}`).matchAll(/\bpath: '([^']+)'/g)])
      .map(([, path]) => path ?? '')
    expect(routes.length).toBeGreaterThan(15)
    const text = read('docs/api.md')
    expect([...new Set(routes)].filter((path) => !text.includes(path))).toEqual([])
  })
})

type Schema = { properties?: Record<string, Schema>; additionalProperties?: Schema | boolean }

/** `limits.cpus`, `beads`, …: what a person can write, without what stands below a bead's own id. */
function keysOf({ properties = {} }: Schema, path = ''): string[] {
  return Object.entries(properties).flatMap(([name, child]) => {
    const key = `${path}${name}`
    return child.properties ? keysOf(child, `${key}.`) : [key]
  })
}
