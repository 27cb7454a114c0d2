import { quotedLine, shortName } from '../finding-words.ts'
import { isTestFile } from '../../files/names-of-tests.ts'
import { patchLines, removedTexts, type ChangedFile, type PatchLine } from '../patch.ts'
import { importedFrom, importIn, isTestCode, SCRIPT, type Places } from '../project-modules.ts'
import { reopenedClass } from './reopened-classes.ts'

/*
 * Code that runs before the tests and replaces the project's code: another module, a function that a fixture sets. All
 * tests are there and run, but the tested code is never called.
 */

const PYTHON = /\.py$/
/** Files that are imported before the tests: pytest's own, and those that make their folder a package. */
const CONFTEST = /(?:^|\/)(?:conftest|(?:tests?|specs?)(?:\/[^/]+)*\/__init__)\.py$/
/** All of Ruby's or Elixir's tests require these. */
const HELPER = /(?:^|\/)(?:(?:spec|rails|test|minitest)_helper\.(?:rb|exs)|(?:spec|test)\/support\/.*\.(?:rb|exs?))$/
const REOPENS =
  /^(?:class|module|defmodule) ([A-Z]\w*(?:(?:::|\.)[A-Z]\w*)*)(?: do)?$|^([A-Z]\w*(?:::[A-Z]\w*)*)\.(?:prepend|class_eval|class_exec|define_method|singleton_class|instance_eval)\b/
/** Around a mock: the rest of the module stays unchanged. */
const PARTLY = /importActual|requireActual|importOriginal|createMockFromModule|\bspy: true|\.\.\./
const NEAR = 12

/** One sentence for each file. */
export function replacedCode(
  files: readonly ChangedFile[],
  known: Places,
  isBefore: (path: string) => boolean,
): string[] {
  const early = files.filter(
    (file) => file.status !== 'D' && (isBefore(file.path) || isLoadedFirst(file.path) || isNewTest(file)),
  )
  return early.flatMap((file) => {
    const lines = patchLines(file.patch).filter(({ sign }) => sign !== '-')
    const former = removedTexts(patchLines(file.patch))
    const names = new Set(importedFrom(file, lines, known, ' +').keys())
    // In the tests' own module, the name of the tested code then means something else.
    if (PYTHON.test(file.path))
      for (const { plain } of lines) for (const name of OF_TESTS.exec(plain)?.slice(1) ?? []) names.add(name)
    const found =
      isNewTest(file) && !isBefore(file.path) && !isLoadedFirst(file.path)
        ? (reopenedClass(file.path, lines, known.classes) ?? replacedForAll(file.path, lines, names, known))
        : lines.find(
            ({ sign, plain }, at) => sign === '+' && !former.has(plain) && replaces(file.path, lines, at, names, known),
          )
    return found === undefined
      ? []
      : [
          `${shortName(file.path)} puts something in the place of the code that tests are about (${quotedLine(found.plain)})`,
        ]
  })
}

type Names = Pick<ReadonlySet<string>, 'has'>

const isLoadedFirst = (path: string): boolean => CONFTEST.test(path) || HELPER.test(path)
const isNewTest = ({ path, status }: ChangedFile): boolean => status === 'A' && isTestFile(path)

/** Runners that load all files into one process, by the modules that their tests import; the others do not. */
const SHARED = /\b(?:from|require\() ?["'](?:chai|mocha|should|bun:test|jasmine[\w-]*|expect\.js|(?:node:)?assert)\b/
const APART = /["'](?:node:test|vitest|@jest\/globals|ava|tap|tape|uvu)["']|\b(?:jest|vi)\.\w+\(/

/**
 * A new test file that replaces the code for the other tests, too: outside of all functions, so that nothing puts the
 * code back.
 */
function replacedForAll(path: string, lines: readonly PatchLine[], names: Names, known: Places): PatchLine | undefined {
  const isPython = PYTHON.test(path)
  if (!isPython) {
    const has = (pattern: RegExp): boolean => lines.some(({ plain }) => pattern.test(plain))
    if (!SCRIPT.test(path) || !has(SHARED) || has(APART)) return undefined
  }
  return lines.find((line, at) => {
    const { plain } = line
    // A mock of a module is for its own file, even where the runner keeps it for the next ones.
    if (/^[@#]/.test(plain) || MOCKS.test(plain) || !isOutside(lines, at)) return false
    const [owner = '', , value = ''] = (SET.exec(plain)?.slice(1) ?? []).filter(Boolean)
    if (owner !== '' && isObject(value)) return false
    if (isPython && MEMBERS.test(plain) && !/\.start\(\)|\bsetattr\(/.test(plain)) return false
    return replaces(path, lines, at, isPython ? withModules(names, owner, path, known) : names, known)
  })
}

/** At the top of a module, or in a block there that is no function's or class's: `if True:`. */
function isOutside(lines: readonly PatchLine[], at: number): boolean {
  const line = lines[at]
  if (!line || /^[ \t]+$/.test(line.text)) return false
  if (/^\S/.test(line.text)) return true
  for (let up = at - 1; up >= 0 && up >= at - NEAR; up--) {
    const text = lines[up]?.text ?? ''
    if (/^\S/.test(text)) return /^(?:if|else|elif|for|while|with|try|except|finally)\b(?!.*__name__)/.test(text)
  }
  return false
}

/** `shop.cart` and `shop.cart.Cart` are the project's after `import shop`, too. */
function withModules(names: Names, owner: string, path: string, known: Places): Names {
  if (!owner.includes('.')) return names
  const isOwn = [owner, owner.slice(0, owner.lastIndexOf('.'))].some((one) => {
    const target = one.includes('.') ? known.of(path, one) : undefined
    return target !== undefined && !isTestCode(target)
  })
  return isOwn ? { has: (name) => name === owner || names.has(name) } : names
}

/** An object for the tests to work with, as a connection or a client. */
const isObject = (value: string): boolean => /^(?:await )?(?:new )?(?!\w*Mock\()(?:\w+\.)*[A-Z]\w*\(/.test(value)

function replaces(path: string, lines: readonly PatchLine[], at: number, names: Names, known: Places): boolean {
  const plain = lines[at]?.plain ?? ''
  if (HELPER.test(path)) {
    const opened = REOPENS.exec(plain)?.slice(1).find(Boolean)
    return opened !== undefined && known.classes.of(opened) !== undefined
  }
  if (SCRIPT.test(path)) {
    if (importIn(path, plain) === null && turnsCode(plain, known)) return true
    const module = MOCKS.exec(plain)?.[1]
    if (module !== undefined) {
      const target = known.of(path, module)
      const below = lines.slice(at, at + NEAR)
      return target !== undefined && !isTestCode(target) && !below.some((line) => PARTLY.test(line.plain))
    }
  }
  if (PYTHON.test(path)) {
    if (/\bsetattr\( ?(?:importlib\.)?import_module\(/.test(plain)) return true
    const folder = /\bsys\.path(?:\.insert\(0, ?|\[:0\] ?= ?\[|\[0\] ?= ?).*["']([\w./-]+)["']/.exec(plain)?.[1]
    if (folder !== undefined && known.isShadowed(folder)) return true
    const module = MODULES.exec(plain)?.slice(1).find(Boolean)
    const member = MEMBERS.exec(plain)?.[1]
    const name = module ?? (member !== undefined && !isSetting(member) ? member : undefined)
    const target = name === undefined ? undefined : known.whole(name)
    if (target !== undefined && !isTestCode(target)) return true
  }
  const [owner, member, value] = (SET.exec(plain)?.slice(1) ?? []).filter(Boolean)
  if (owner === undefined || member === undefined || isSetting(member)) return false
  if (value !== undefined && isValue(value)) return false
  return names.has(owner.replace(/\.prototype$/, ''))
}

/** It checks which file it is, or writes one: `id.endsWith('src/cart.ts') ? …`, `copyFileSync(…)`. */
const TURNS =
  /===|\b(?:endsWith|includes|startsWith|match|test)\(|\.(?:replace|set)\(|\b(?:copyFile|cp|rename|symlink|link|writeFile)(?:Sync)?\(/
const QUOTED = /["'`]([^"'`]{1,300})["'`]/g

/** Whether a line checks for code outside of tests by its path, or writes it. */
export const turnsCode = (plain: string, known: Places): boolean =>
  TURNS.test(plain) && [...plain.matchAll(QUOTED)].some(([, text = '']) => text.includes('/') && known.hasCodeAt(text))

/** `import tests.test_cart as t`, `from tests import test_cart` */
const OF_TESTS = /^import tests?\.[\w.]+ as (\w+)$|^from tests?(?:\.\w+)* import (\w+)$/
const MOCKS =
  /\b(?:(?:jest|vi)\.(?:mock|doMock|setMock|unstable_mockModule)|mock\.module)\((?:import\()?["'](\.[^"']{1,300})["']/
/** A module that replaces another; `None` removes it. */
const MODULES =
  /\bsys\.modules\[["']([\w.]{1,200})["']\] ?= ?(?!None\b)|\bsys\.modules\.(?:update|setdefault)\(\{?["']([\w.]{1,200})["']|\bsetitem\(sys\.modules, ?["']([\w.]{1,200})["'](?!, ?None\b)|\bpatch\.dict\((?:sys\.modules|["']sys\.modules["']), ?\{["']([\w.]{1,200})["'](?!: ?None\b)/
const MEMBERS = /\b(?:setattr|patch)\( ?["']([\w.]{1,200}\.\w+)["']/
const SET =
  /^([\w.]{1,200})\.(\w+) = (.+)$|\bsetattr\(([\w.]{1,200}), ?["'](\w+)["'], ?(.+)$|\bpatch\.object\(([\w.]{1,200}), ?["'](\w+)["']|\b(?:jest|vi|sinon)\.(?:spyOn|stub|replace)\((\w+), ?["'](\w+)["']\)?\.mock(?:Impl|Ret|Res)/

/** `shop.settings.TIMEOUT` */
const isSetting = (name: string): boolean => /(?:^|\.)_*[A-Z][A-Z\d_]+$/.test(name)
const isValue = (text: string): boolean =>
  /^(?:True|False|None|true|false|null|undefined|[\d"'`[{-]|[fbr]["'])/.test(text)
