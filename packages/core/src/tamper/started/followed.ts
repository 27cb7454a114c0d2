import { isTestFile } from '../../files/names-of-tests.ts'
import { shellUnits } from './can-fail.ts'
import { codeUnits } from './code-lines.ts'
import { startIn, type Started } from './commands-of-line.ts'
import { makefileOf, scriptLines } from './made-of.ts'
import { bare, commandsIn, type Command } from './shell-lines.ts'
import type { Part } from './units.ts'

/*
 * All files behind the commands of checks: scripts and what they start, targets of a Makefile, scripts of package.json.
 * Programs whose output a script compares are tested ones, and not followed.
 */

/** `wanted`: paths that may be among these files, and whose text is not known yet. */
export type Followed = { parts: Part[]; wanted: string[] }

const MOST_PARTS = 60
const DEEPEST = 6
const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile']
/** A name of something that checks. */
const CHECKS = /test|check|verif|spec|lint|suite|assert|(?:^|[/_-])ci(?:[/._-]|$)|smoke|accept/i

/**
 * @param files known texts by path; null: there is no such file
 * @param paths of all files, for patterns of names
 */
export function followed(
  commands: readonly string[],
  files: ReadonlyMap<string, string | null>,
  paths: readonly string[] = [],
): Followed {
  const walk = new Walk(files, paths)
  for (const command of commands) walk.shell('', command, { folder: '', depth: 0 })
  return { parts: walk.parts.filter(({ path }) => path !== ''), wanted: [...walk.wanted] }
}

type At = { folder: string; depth: number }

class Walk {
  readonly parts: Part[] = []
  readonly wanted = new Set<string>()
  readonly #files: ReadonlyMap<string, string | null>
  readonly #paths: readonly string[]
  readonly #done = new Set<string>()

  constructor(files: ReadonlyMap<string, string | null>, paths: readonly string[]) {
    this.#files = files
    this.#paths = paths
  }

  /** Lines for a shell: a script, or the commands of a target or of package.json (`path`: their file). */
  shell(path: string, text: string, { folder, depth }: At, language: 'shell' | 'make' = 'shell'): void {
    const done = new Set<string>()
    this.#add({ path, language, lines: text.split('\n'), isDone: (words) => done.has(words) })
    if (depth > DEEPEST) return
    const commands = commandsIn(text)
    const isScript = path !== '' && language === 'shell' && !path.endsWith('package.json')
    const launches = !isScript || shellUnits(text, () => false).units.every(({ strength }) => strength === 'call')
    let own = folder
    for (const command of commands) {
      const into = /^cd ["']?([\w./-]+)["']?$/.exec(command.words)?.[1]
      if (into !== undefined) own = joined(own, into)
      for (const start of this.#startsOf(command, commands)) {
        const mayFollow = (name: string, sourced: boolean): boolean =>
          sourced || (launches ? !isTested(commands, name) : isCheckOf(path, name) && !isTested(commands, name))
        if (this.#follow(start, path, { folder: own, depth: depth + 1 }, mayFollow)) done.add(command.words)
      }
    }
  }

  #startsOf({ words, end }: Command, commands: readonly Command[]): Started[] {
    const patterns = patternsIn(words, commands)
    const found = patterns
      .flatMap((word) => this.#matching(word))
      .map((name): Started => ({ kind: 'file', names: [name], language: 'own', sourced: false, lax: false }))
    if (end === '|' || KEPT.test(words)) return found
    const start = startIn(words.replace(/^(?:(?:then|else|do)\s)?(?:if|elif|while|until)\s/, ''))
    return start === null ? found : [...found, start]
  }

  #matching(word: string): string[] {
    if (!word.includes('*')) return [word]
    if (this.#paths.length === 0) this.wanted.add(word)
    const [head = '', ...rest] = word.replace(/^\.\//, '').split(/\*+/)
    const last = rest.at(-1) ?? ''
    return this.#paths.filter((path) => path.startsWith(head) && path.endsWith(last)).slice(0, MOST_PARTS)
  }

  /** Whether its content is read, so that it counts by that. */
  #follow(start: Started, from: string, at: At, mayFollow: (name: string, sourced: boolean) => boolean): boolean {
    if (start.kind === 'text') {
      this.shell(from, start.text, at)
      return true
    }
    if (start.kind === 'script') return this.#script(start.name, at)
    if (start.kind === 'make') return this.#make(start, at)
    const names = start.names.filter((name) => mayFollow(name, start.sourced))
    const found = this.#find(names.flatMap((name) => [joined(at.folder, name), joined(folderOf(from), name)]))
    if (found === null) return false
    const key = `file ${found.path}`
    if (this.#done.has(key)) return true
    this.#done.add(key)
    if (start.lax) return true
    const head = found.text.slice(0, 100).split('\n', 1)[0] ?? ''
    const isShell =
      start.language === 'shell' ||
      (start.language === 'own' &&
        (/\.(?:sh|bash)$/.test(found.path) ||
          (/\/[^/.]*$/.test(`/${found.path}`) && !/^#!.*(?:python|node|ruby|perl|php)/.test(head))))
    if (isShell) this.shell(found.path, found.text, at)
    else this.#code(found.path, found.text, at)
    return true
  }

  #code(path: string, text: string, at: At): void {
    this.#add({ path, language: 'code', lines: text.split('\n'), isDone: () => false })
    if (at.depth > DEEPEST) return
    const launches = codeUnits(path, text).length === 0
    for (const name of importsIn(path, text)) {
      if (!launches && !CHECKS.test(name)) continue
      const found = this.#find([joined(folderOf(path), name)])
      if (found === null || this.#done.has(`file ${found.path}`)) continue
      this.#done.add(`file ${found.path}`)
      this.#code(found.path, found.text, { ...at, depth: at.depth + 1 })
    }
  }

  #script(name: string, at: At): boolean {
    const found = this.#find([joined(at.folder, 'package.json')])
    if (found === null) return false
    const lines = scriptLines(found.text, name)
    const key = `script ${found.path} ${name}`
    if (!this.#done.has(key)) {
      this.#done.add(key)
      for (const line of lines) this.shell(found.path, line, at)
    }
    return lines.length > 0
  }

  #make({ folder, file, targets }: Extract<Started, { kind: 'make' }>, at: At): boolean {
    const place = joined(at.folder, folder)
    const found = this.#find((file === null ? MAKEFILES : [file]).map((name) => joined(place, name)))
    if (found === null) return false
    const { targets: known, first, isLax } = makefileOf(found.text)
    if (isLax) return true
    const open = targets.length > 0 ? [...targets] : first === null ? [] : [first]
    for (let target = open.pop(); target !== undefined; target = open.pop()) {
      const key = `make ${found.path} ${target}`
      const rule = known.get(target)
      if (this.#done.has(key) || rule === undefined) continue
      this.#done.add(key)
      open.push(...rule.needs)
      this.shell(found.path, rule.lines.join('\n'), { folder: place, depth: at.depth }, 'make')
    }
    return true
  }

  #find(paths: readonly string[]): { path: string; text: string } | null {
    for (const path of paths) {
      const text = this.#files.get(path)
      if (typeof text === 'string') return { path, text }
      if (text === undefined && path !== '' && !path.startsWith('..')) this.wanted.add(path)
    }
    return null
  }

  #add(part: Part): void {
    if (this.parts.length < MOST_PARTS) this.parts.push(part)
  }
}

/** Its output goes to a file. */
const KEPT = /[^2>]>\s?(?!\/dev\/null|&)\S/
const PATTERN = /^[\w./-]*\*[\w.*-]*$/
const RUNS = String.raw`(?:sh|bash|python[\d.]*|node|ruby|perl|source|\.)\s+(?:-\S+\s+)*`
const RUNS_PATTERN = new RegExp(`^${RUNS}(\\S*\\*\\S*)$`)
const RUNS_VARIABLE = new RegExp(`^(?:${RUNS})?"?(?:\\./)?\\$\\{?(\\w+)\\}?"?(?:\\s|$)`)

/** Names and patterns of the files that a command starts, or a loop one by one. */
function patternsIn(words: string, commands: readonly Command[]): string[] {
  const alone = RUNS_PATTERN.exec(bare(words))?.[1]
  if (alone !== undefined) return PATTERN.test(alone) ? [alone] : []
  const [, variable, list = ''] = /^for (\w+) in (.{1,500})$/.exec(words) ?? []
  const isRun = ({ words: one, end }: Command): boolean =>
    end !== '|' && !KEPT.test(one) && RUNS_VARIABLE.exec(bare(one.replace(/^(?:do )?if /, '')))?.[1] === variable
  if (variable === undefined || !commands.some(isRun)) return []
  return list.split(' ').filter((word) => PATTERN.test(word) || /^[\w./-]+\.\w+$/.test(word))
}

/** Whether a script compares what a program says: then it is tested, rather than a test. */
const isTested = (commands: readonly Command[], name: string): boolean =>
  commands.some(
    ({ words, end }) => words.includes(name) && (end === '|' || /\$\(|`|[^2>]>\s?(?!\/dev\/null|&)\S/.test(words)),
  )

const isCheckOf = (from: string, name: string): boolean =>
  CHECKS.test(name) || isTestFile(name) || (folderOf(from) !== '' && name.startsWith(`${folderOf(from)}/`))

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

function joined(folder: string, name: string): string {
  const parts: string[] = []
  for (const part of `${folder}/${name}`.split('/'))
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  return parts.join('/')
}

/** The project's own modules, as paths from the file's folder. */
function importsIn(path: string, text: string): string[] {
  const head = text.slice(0, 20_000)
  if (path.endsWith('.py'))
    return Array.from(
      head.matchAll(/^(?:from \.?([\w.]{1,200}) import|import ([\w.]{1,200}))/gm),
      (found) => `${(found[1] ?? found[2] ?? '').replaceAll('.', '/')}.py`,
    )
  const names = Array.from(
    head.matchAll(/(?:from|import|require\(?|require_relative)\s*\(?["'](\.{1,2}\/[^"'\n]{1,200}|\w+)["']/g),
  )
  return names.flatMap(([, name = '']) =>
    /\.\w+$/.test(name) ? [name] : path.endsWith('.rb') ? [`${name}.rb`] : [`${name}.js`],
  )
}
