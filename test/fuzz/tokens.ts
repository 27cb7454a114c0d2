import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Parser } from './parsers.ts'

const root = join(import.meta.dirname, '..', '..')

/** Characters and strings that are in nearly every pattern. */
const common = [...' \t\n:;,.()[]{}<>"\'`-+*/\\=|#@!?0aA_✗✔─', '\r\n', '\x1b[31m', '\u{F8FF}', '  ', ' - ', '": "']

/** Strings, signs and the words of patterns in its sources, and lines of its samples. */
export function tokensOf({ sources, samples }: Parser, name: string): string[] {
  const texts = sources.flatMap((path) => filesIn(join(root, path))).filter((file) => file.endsWith('.ts'))
  const own = texts.filter((file) => readFileSync(file, 'utf8').includes(`'${name.replace('digest-', '')}'`))
  const words = (own.length > 0 && name.startsWith('digest-') ? own : texts).flatMap(wordsIn)
  const lines = samples.flatMap((path) => filesIn(join(root, path))).flatMap(linesIn)
  return [...new Set([...common, ...words, ...lines])].filter((token) => token !== '')
}

export const samplesOf = ({ samples }: Parser): string[] =>
  samples
    .flatMap((path) => filesIn(join(root, path)))
    .filter((file) => file.endsWith('.txt'))
    .map((file) => readFileSync(file, 'utf8').slice(0, 3000))

function filesIn(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return []
  if (found.isFile()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()
}

function wordsIn(file: string): string[] {
  const text = readFileSync(file, 'utf8').replaceAll(/^import .*$/gm, '')
  const strings = [...text.matchAll(/'((?:[^'\\\n]|\\.){1,80})'/g)].map(([, word = '']) => word)
  const patterns = [...text.matchAll(/(?<=[\s(,[])\/((?:[^/\\\n]|\\.){2,400})\/[dgimsuy]*/g)].map(([, one = '']) => one)
  return [...strings, ...patterns.flatMap(runsIn)]
}

/** The literal parts of a pattern, and a character of each of its classes. */
function runsIn(pattern: string): string[] {
  const plain = pattern
    .replaceAll(
      /\\([sdwSDWbB])/g,
      (_, kind: string) => ({ s: ' ', d: '1', w: 'a', S: 'x', D: '-', W: '-' })[kind] ?? '',
    )
    .replaceAll(/\{\d*,?\d*\}|\(\?(?:<?[=!]|:|<\w+>)/g, '\0')
    .replaceAll(/\\(.)/g, '$1')
  return plain
    .split(/[\0()|*+?^$]+/)
    .map((run) => run.replaceAll(/\[\^[^\]]*\]/g, 'x').replaceAll(/\[(.)[^\]]*\]/g, '$1'))
}

const linesIn = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, 300)
    .filter((line) => line.trim() !== '' && line.length < 200)
    .map((line) => `${line}\n`)
