import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'

/*
 * The JavaScript that the dashboard loads, compressed: for the first screen, for one page more, and for a diff. The
 * budget of a page counts everything beyond the first load, also if other pages share it. In the budget of a diff, the
 * diff takes 66 kB, and the bead's page with its log most of the rest.
 */
const INITIAL_BYTES = 196_500
const CHUNK_BYTES = 40_000
const PAGE_BYTES = 71_500
const DIFF_BYTES = 151_500
/** A parser of Markdown with the names of two thousand characters; it is loaded with the first description. */
const MARKDOWN_BYTES = 46_000
/** Readers for the output of fifty tools; they are loaded with the first failed command. */
const DIGEST_BYTES = 62_000

const dist = join(import.meta.dirname, '..', '..', 'apps', 'web', 'dist')
const manifestFile = join(dist, '.vite', 'manifest.json')

type Chunk = { file: string; isEntry?: boolean; imports?: string[]; dynamicImports?: string[]; assets?: string[] }

const built = existsSync(manifestFile)
if (!built) {
  const why = 'The dashboard is not built. Run: npm test, which builds it, or `vite build` in apps/web'
  if (process.env['REQUIRE_ALL'] === '1') throw new Error(`REQUIRE_ALL=1. ${why}`)
  console.warn(`SKIPPED: the size of the dashboard. ${why}`)
}

describe.skipIf(!built)('the JavaScript of the dashboard', () => {
  const chunks = new Map(
    built ? Object.entries(JSON.parse(readFileSync(manifestFile, 'utf8')) as Record<string, Chunk>) : [],
  )
  /** Includes its workers, which are scripts too. */
  const bytesOf = (name: string): number => {
    const { file = '', assets = [] } = chunks.get(name) ?? {}
    const scripts = [file, ...assets].filter((one) => one.endsWith('.js'))
    return scripts.reduce((all, one) => all + gzipSync(readFileSync(join(dist, one)), { level: 9 }).length, 0)
  }
  /** A chunk and all its imports. */
  const withImports = (name: string, found = new Set<string>()): Set<string> => {
    if (found.has(name)) return found
    found.add(name)
    for (const one of chunks.get(name)?.imports ?? []) withImports(one, found)
    return found
  }
  const sum = (names: Iterable<string>): number => [...names].reduce((total, one) => total + bytesOf(one), 0)

  const entries = [...chunks].filter(([, { isEntry }]) => isEntry === true).map(([name]) => name)
  const initial = new Set(entries.flatMap((name) => [...withImports(name)]))
  const beyondInitial = (name: string) => [...withImports(name)].filter((one) => !initial.has(one))
  const ofMarkdown = (name: string) => name.endsWith('/markdown.tsx')
  const ofDigest = (name: string) => name.endsWith('/run-digest.tsx')
  const ofDiff = (name: string) => /\/diff[-/]|diff-/.test(name)
  const lazy = [...new Set([...chunks.values()].flatMap(({ dynamicImports = [] }) => dynamicImports))]
  const pages = lazy.filter((name) => name.startsWith('src/pages/') && name.endsWith('-page.tsx'))

  test('before anything is seen stays within its budget', () => {
    expect(entries).toHaveLength(1)
    expect(sum(initial)).toBeLessThanOrEqual(INITIAL_BYTES)
  })

  test('has a chunk for each page within its budget, including what it shares', () => {
    expect(pages.length).toBeGreaterThanOrEqual(7)
    expect(pages.filter((name) => initial.has(name))).toEqual([])
    expect(pages.filter((name) => bytesOf(name) > CHUNK_BYTES)).toEqual([])
    expect(pages.filter((name) => sum(beyondInitial(name)) > PAGE_BYTES)).toEqual([])
  })

  test('has no other lazy part larger than a page, except diffs and Markdown, which have their own budget', () => {
    const parts = [...chunks.keys()].filter((name) => !initial.has(name))
    const most = (name: string) => (ofMarkdown(name) ? MARKDOWN_BYTES : ofDigest(name) ? DIGEST_BYTES : CHUNK_BYTES)
    expect(parts.filter((name) => !ofDiff(name) && bytesOf(name) > most(name))).toEqual([])
    const diffs = lazy.filter(ofDiff)
    expect(diffs.length).toBeGreaterThan(0)
    const loaded = new Set(diffs.flatMap((name) => [...withImports(name)]))
    const workers = [...loaded].flatMap((name) => chunks.get(name)?.assets ?? []).filter((one) => one.endsWith('.js'))
    expect(new Set(workers).size).toBe(1)
    for (const name of diffs) expect(sum(beyondInitial(name))).toBeLessThanOrEqual(DIFF_BYTES)
  })
})
