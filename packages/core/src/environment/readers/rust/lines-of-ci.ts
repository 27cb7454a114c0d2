import { fieldsOf, listOf, textOf, type Fields } from '../../formats/records.ts'
import { linesOf } from '../../formats/lines.ts'
import { readYaml } from '../../formats/yaml-text.ts'
import type { Folder } from '../../files/repository-files.ts'
import { withMatrix } from './matrix.ts'

/** A line of a step; `at` is the folder in which it runs, `''` for the crate's own. */
export type CiLine = { line: string; at: string }

const WORKFLOWS = /^\.github\/workflows\/[^/]{1,100}\.ya?ml$/
const MOST_WORKFLOWS = 20
const MOST_STEPS = 500
const MOST_LINES = 50
const LONGEST = 2000

/** All crates of a repository have the same workflows. */
const known = new WeakMap<Folder, CiLine[]>()

/** The lines that the repository's workflows run with the usual compiler, in this folder or below it. */
export function linesOfCi(folder: Folder): CiLine[] {
  const root = folder.other('')
  const all =
    known.get(root) ?? root.below(WORKFLOWS, MOST_WORKFLOWS).flatMap((name) => linesOfWorkflow(root.text(name) ?? ''))
  known.set(root, all)
  if (folder.path === '') return all
  const start = `${folder.path}/`
  return all
    .filter(({ at }) => at === folder.path || at.startsWith(start))
    .map(({ line, at }) => ({ line, at: at.slice(start.length) }))
}

function linesOfWorkflow(text: string): CiLine[] {
  const workflow = fieldsOf(readYaml(text)?.value)
  const jobs = Object.values(fieldsOf(workflow['jobs'])).map(fieldsOf)
  return jobs.filter(isForStable).flatMap((job) =>
    listOf(job['steps'])
      .slice(0, MOST_STEPS)
      .map(fieldsOf)
      .filter((step) => !FOR_NIGHTLY.test(textOf(step['if']) ?? ''))
      .flatMap((step) => {
        const script = (textOf(step['run']) ?? '').slice(0, LONGEST).replace(/\\\n/g, ' ')
        const at = textOf(step['working-directory']) ?? usualFolder(job) ?? usualFolder(workflow) ?? ''
        return inFolders(linesOf(script).slice(0, MOST_LINES), plain(at)).flatMap((one) =>
          withMatrix(one.line.replace(OWN_TARGET, ''), fieldsOf(fieldsOf(job['strategy'])['matrix'])).map((line) =>
            withManifest({ line, at: one.at }),
          ),
        )
      }),
  )
}

const usualFolder = (of: Fields): string | null =>
  textOf(fieldsOf(fieldsOf(of['defaults'])['run'])['working-directory'])

const plain = (path: string): string => path.replace(/^\.\/|^\.$|\/$/g, '')

const under = (at: string, folder: string): string => [at, plain(folder)].filter(Boolean).join('/')

/** Follows `cd folder`, on a line of its own or before a command. */
function inFolders(lines: readonly string[], start: string): CiLine[] {
  let at = start
  return lines.map((text) => {
    const [, folder, rest = ''] = /^cd ([\w./-]{1,200})(?: && (.*))?$/.exec(text.trim()) ?? []
    if (folder === undefined) return { line: text.trim(), at }
    at = under(at, folder)
    return { line: rest, at }
  })
}

/** A manifest that is named by its path is that of a crate in another folder. */
function withManifest({ line, at }: CiLine): CiLine {
  const [word = '', folder] =
    /\s--manifest-path[= ](?:\.\/)?(?:([\w./-]{1,200})\/)?Cargo\.toml(?=\s|$)/.exec(line) ?? []
  return word === '' ? { line, at } : { line: line.replace(word, ''), at: under(at, folder ?? '') }
}

/** Ignores `matrix.rust != 'nightly'`; in JSON a quotation mark has a backslash before it. */
export const FOR_NIGHTLY = /(?<!!= {0,3}[\\'"]{0,2})nightly/

/** A target by a variable of the matrix may be the one that runs here. */
const OWN_TARGET = / --target[= ](?:\$\{\{[^{}]{0,100}\}\}|x86_64-unknown-linux-gnu)/

function isForStable(job: Fields): boolean {
  const text = JSON.stringify(job)
  return !FOR_NIGHTLY.test(text) || /stable/.test(text)
}

/** Matches a call of Cargo's tests, with any words around its subcommand. */
export const TESTS_BY_CARGO = /^cargo (?:\+stable )?(?:test|t|nextest run|hack(?: --?[\w-]{1,40})* test)(?=\s|$)/
