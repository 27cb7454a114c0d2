import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeclaration } from '@beadloom/core/tamper/words.ts'
import type { Files } from '../../support/repository.ts'
import { languages, type Exercise, type Language } from '../exercise.ts'
import { textsBelow } from './source.ts'

/*
 * Aider's polyglot benchmark: exercises of Exercism in six languages. Each has a stub, tests and, in `.meta`, a solution
 * that passes them, which no agent sees.
 */

/** Exercism gives out its tests switched off, except for the first. Switches them on, as all users of the set do. */
const switchedOn: Record<Language, (text: string) => string> = {
  python: (text) => text,
  go: (text) => text,
  javascript: (text) => text.replace(/\bx(test|it|describe)\b/g, '$1'),
  rust: (text) => text.replace(/^\s*#\[ignore[^\n]*\]\n/gm, ''),
  java: (text) =>
    text.replace(/^\s*@Disabled[^\n]*\n/gm, '').replace(/^import org\.junit\.jupiter\.api\.Disabled;\n/gm, ''),
  // CMake's definition switches them on.
  cpp: (text) => text,
}

/** Not part of the exercise: authors, other solutions, and builds that are replaced. */
const leftOut =
  /^(?:\.meta|\.approaches|\.articles|gradle)\/|^(?:gradlew(?:\.bat)?|build\.gradle|LICENSE|\.npmrc|\.eslintrc)$/

const MANIFEST = 'Cargo.toml'

/** Whether it has tests: one exercise asks for the tests themselves. */
const hasTests = ({ tests, files }: Exercise): boolean =>
  tests.some((path) => (files[path] ?? '').split('\n').some((line) => isDeclaration(line.trim())))

/** Their stub passes the tests; the task is better code. */
const REFACTORINGS = new Set(['go/ledger', 'go/markdown', 'java/ledger', 'javascript/ledger'])

type Named = { solution: string[]; test: string[]; example?: string[]; exemplar?: string[] }

export function polyglot(folder: string): Exercise[] {
  return languages.flatMap((language) => {
    const practice = join(folder, language, 'exercises', 'practice')
    if (!existsSync(practice)) return []
    return readdirSync(practice)
      .sort()
      .map((name) => exerciseIn(join(practice, name), language, name))
      .filter(hasTests)
  })
}

function exerciseIn(folder: string, language: Language, name: string): Exercise {
  const all = textsBelow(folder)
  const { files: named } = JSON.parse(readFileSync(join(folder, '.meta', 'config.json'), 'utf8')) as { files: Named }
  named.solution = named.solution.filter((path) => path !== MANIFEST)
  const reference = referenceIn(all, named, language)
  const solution = [...new Set([...Object.keys(reference), ...named.solution])]
  const files: Files = {}
  const stub: Files = {}
  for (const path of solution) if (all[path] !== undefined) stub[path] = all[path]
  for (const [path, text] of Object.entries(all)) {
    if (solution.includes(path)) continue
    if (named.test.includes(path)) files[path] = switchedOn[language](text)
    else if (!leftOut.test(path)) files[path] = text
  }
  // The dependencies of the reference must be there before the work begins: checks reach no registry.
  const manifest = all['.meta/Cargo-example.toml']
  if (manifest !== undefined) files[MANIFEST] = manifest
  const tests = named.test.filter((path) => path in files)
  const stubPasses = REFACTORINGS.has(`${language}/${name}`)
  return { set: 'polyglot', language, name, files, stub, reference, tests, ...(stubPasses && { stubPasses }) }
}

/** `.meta/example.go` is the solution's first file, `.meta/example.h` that with the same ending, and so on. */
function referenceIn(all: Files, { solution, example, exemplar }: Named, language: Language): Files {
  const reference: Files = {}
  const left = [...solution]
  for (const path of example ?? exemplar ?? []) {
    const text = all[path]
    if (text === undefined) continue
    const base = path.slice(path.lastIndexOf('/') + 1)
    const target =
      language === 'java'
        ? `src/main/java/${base}`
        : (left.find((one) => ending(one) === ending(path) && !(one in reference)) ?? base)
    reference[target] = text
  }
  // Files without a counterpart in the reference stay as the agent gets them: for example, a source file that only
  // includes its header.
  for (const path of solution) {
    const text = all[path]
    if (!(path in reference) && text !== undefined) reference[path] = text
  }
  return reference
}

const ending = (path: string): string => path.slice(path.lastIndexOf('.'))
