import { describe, expect, test } from 'vitest'
import { colour } from './colour.ts'
import { ColourClient, type WorkerLike } from './colour-client.ts'
import { grammars } from './grammars.ts'
import { languageOf, languages } from './language-of.ts'
import { scopes, type Runs } from './runs.ts'
import type { Asked, Coloured } from './syntax-worker.ts'

/** The coloured pieces of a text, line by line. */
const said = (language: string, code: string): string[][] => {
  const texts = code.split('\n')
  return (colour(language, code) ?? []).map((runs, number) => {
    const found: string[] = []
    for (let at = 0, from = 0; at < runs.length; at += 2) {
      const piece = (texts[number] ?? '').slice(from, (from += runs[at] ?? 0))
      const scope = scopes[runs[at + 1] ?? -1]
      if (scope) found.push(`${scope} ${piece}`)
    }
    return found
  })
}

test('code is cut into typed pieces, also across line endings', () => {
  expect(said('typescript', 'const a = "b" // c\n/* one\ntwo */ return 1')).toEqual([
    ['keyword const', 'string "b"', 'comment // c'],
    ['comment /* one'],
    ['comment two */', 'keyword return', 'number 1'],
  ])
  expect(said('xml', '<p class="a"><script>let x</script></p>')[0]).toContain('keyword let')
  const inserted = '`a $' + '{b} c`'
  expect(said('typescript', inserted)).toEqual([['string `a ', 'string  c`']])
})

test('text that looks like markup stays text, and each line keeps its length', () => {
  const code = '<img src=x onerror=alert(1)>\n\n</span><b>&lt;'
  const lines = colour('javascript', code) ?? []
  expect(lines.length).toBe(3)
  for (const [at, text] of code.split('\n').entries()) {
    const lengths = (lines[at] ?? []).filter((_, n) => n % 2 === 0)
    expect(lengths.reduce((sum, one) => sum + one, 0)).toBe(text.length)
  }
})

test('a file is known by its name or its ending, and every language has a grammar', () => {
  expect(languageOf('src/A.TSX')).toBe('typescript')
  expect(languageOf('docker/Dockerfile')).toBe('dockerfile')
  expect(languageOf('Makefile')).toBe('makefile')
  expect(languageOf('LICENSE')).toBeNull()
  expect(languageOf('a.constructor')).toBeNull()
  expect(languageOf('constructor')).toBeNull()
  expect(languages.filter((one) => !Object.hasOwn(grammars, one))).toEqual([])
  expect(Object.keys(grammars).filter((one) => !languages.includes(one))).toEqual([])
  expect(colour('no such language', 'a')).toBeNull()
})

describe('the worker', () => {
  /** A worker whose answers come from the test. */
  class HandWorker implements WorkerLike {
    onmessage: Worker['onmessage'] = null
    onerror: Worker['onerror'] = null
    asked: Asked[] = []
    ended = false
    postMessage(asked: Asked) {
      this.asked.push(asked)
    }
    terminate() {
      this.ended = true
    }
    says(data: Coloured | null) {
      this.onmessage?.call({} as Worker, { data } as MessageEvent)
    }
    breaks() {
      this.onerror?.call({} as Worker, {} as ErrorEvent)
    }
  }
  const started = () => {
    const workers: HandWorker[] = []
    const late: { run: (() => void) | null } = { run: null }
    const make = () => {
      const worker = new HandWorker()
      workers.push(worker)
      return worker
    }
    const client = new ColourClient(make, (_, run) => {
      late.run = run
      return () => {
        if (late.run === run) late.run = null
      }
    })
    return { workers, client, late }
  }
  const runs: Runs[] = [[1, 0]]

  test('is asked one thing at a time, and only once it is ready', async () => {
    const { workers, client } = started()
    const [one, two] = [client.ask('go', ['a']), client.ask('go', ['b'])]
    const [worker] = workers
    expect(worker?.asked).toEqual([])
    worker?.says(null)
    expect(worker?.asked.map(({ texts }) => texts)).toEqual([['a']])
    worker?.says({ id: 0, lines: [runs] })
    expect(await one).toEqual([runs])
    worker?.says({ id: 1, lines: [null] })
    expect(await two).toEqual([null])
    expect(workers).toHaveLength(1)
  })

  test('that breaks is ended: its file has no colours, the next one has another worker, and after three nobody asks again', async () => {
    const { workers, client } = started()
    const asked = ['a', 'b', 'c', 'd'].map((text) => client.ask('go', [text]))
    workers[0]?.says(null)
    workers[0]?.breaks()
    expect(await asked[0]).toBeNull()
    expect(workers.map(({ ended }) => ended)).toEqual([true, false])
    workers[1]?.breaks()
    workers[2]?.breaks()
    expect(await Promise.all(asked)).toEqual([null, null, null, null])
    expect(await client.ask('go', ['e'])).toBeNull()
    expect(workers.map(({ ended }) => ended)).toEqual([true, true, true])
  })

  test('that takes too long over a text is ended, and does not hold up the next one', async () => {
    const { workers, client, late } = started()
    const [slow, next] = [client.ask('go', ['slow']), client.ask('go', ['next'])]
    workers[0]?.says(null)
    late.run?.()
    expect(await slow).toBeNull()
    expect(workers[0]?.ended).toBe(true)
    workers[1]?.says(null)
    workers[1]?.says({ id: 1, lines: [runs] })
    expect(await next).toEqual([runs])
    expect(late.run).toBeNull()
  })

  test('ends with the page that it works for', async () => {
    const { workers, client } = started()
    const asked = client.ask('go', ['a'])
    client.close()
    expect(await asked).toBeNull()
    expect(workers[0]?.ended).toBe(true)
  })
})
