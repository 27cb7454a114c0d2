import { patchLines, type ChangedFile } from '../patch.ts'
import { hasEndIn } from '../../files/path-ends.ts'

/*
 * Files that run before the tests, or between them and the code: set-up files, plugins, transforms. They may have any
 * name, so they are found by the usual names, or because the change names them in a runner's settings.
 */

const usual =
  /(?:^|\/)(?:[\w.-]*set-?up[\w.-]*|test-?(?:utils?|helpers?|env\w*)|mocha-?\w*|register)\.[cm]?[jt]sx?$|(?:^|\/)(?:babel\.config\.[\w.]+|\.babelrc(?:\.\w+)?|\.swcrc)$/i

/** Judged by the name alone. */
export const mayStartTests = (path: string): boolean => usual.test(path) && !/(?:^|\/)node_modules\//.test(path)

/** Settings in which every named file belongs to the tests or to their build. */
const ofRunners =
  /(?:^|\/)(?:(?:vitest|vite|jest|playwright|cypress|ava|karma)\.(?:config|conf|workspace|setup)\.[\w.]+|web-test-runner\.config\.[\w.]+|bunfig\.toml|\.taprc|\.mocharc(?:\.\w+)?|CMakeLists\.txt|[^/]*\.cmake)$/
/** In other files, only names behind such a word count, or names alone on a line, as in a list. */
const given =
  /set-?up|teardown|transform|environment|resolver|plugin|preset|sequencer|serializer|processor|runner|moduleNameMapper|["']require["']|--require|\s-r\s|--import|--loader|NODE_OPTIONS|^["'](?:\.\/|<rootDir>)[^"']*["'],?$/i

const MOST_LINES = 5000
const script = String.raw`[cm]?[jt]sx?|c|cc|cpp|cxx|h|hpp`
const file = new RegExp(`(?:(?:\\.{1,2}|<rootDir>|\\$\\{\\w+\\})/)*([\\w@.-]+(?:/[\\w@.-]+)*\\.(?:${script}))\\b`, 'g')
/** Module names without an extension. */
const bare = /["'](?:\.{1,2}|<rootDir>)\/([\w@-]+(?:\/[\w@-]+)*)["']/g
const endings = ['.js', '.cjs', '.mjs', '.ts', '/index.js', '/index.ts']
const option = /(?:^|[\s"',])-p[ ="',]+([A-Za-z_][\w.]*)|\bpytest_plugins\b[^"']*["']([\w.]+)["']/g
const entryPoint = /^[\w-]+ ?= ?["']?([\w.]+)["']?$|["'][\w-]+ ?= ?([\w.]+)["']/g
/** RSpec requires these before all files of tests. */
const required = /^(?:-r|--require)[ =]?\s?["']?((?:\.{1,2}\/)?[\w@-]+(?:\/[\w@-]+)*)(?:\.rb)?["']?$/

/** Whether new lines in these files, which configure a runner, name a path. */
export function namedIn(files: readonly ChangedFile[]): (path: string) => boolean {
  const ends = new Set<string>()
  for (const { path, patch } of files) {
    const lines = patchLines(patch)
    const added = lines.filter(({ sign }) => sign === '+').slice(0, MOST_LINES)
    const isOfRunner = ofRunners.test(path) || mayStartTests(path)
    const hasPlugins = lines.some(({ plain }) => plain.includes('pytest11'))
    for (const { plain } of added) {
      const ruby = path.endsWith('.rspec') ? required.exec(plain)?.[1] : undefined
      if (ruby !== undefined) ends.add(`${ruby.replace(/^(?:\.{1,2}\/)+/, '')}.rb`)
      if (isOfRunner || given.test(plain)) for (const [, name] of plain.matchAll(file)) if (name) ends.add(name)
      if (!/CMakeLists|\.cmake$/.test(path) && (isOfRunner || given.test(plain)))
        for (const [, name] of plain.matchAll(bare)) for (const end of endings) ends.add(`${name}${end}`)
      if (!/\.(?:py|toml|ini|cfg)$/.test(path)) continue
      const found = [...plain.matchAll(option), ...(hasPlugins ? plain.matchAll(entryPoint) : [])]
      for (const names of found) {
        const module = (names.slice(1).find(Boolean) ?? '').replaceAll('.', '/')
        ends.add(`${module}.py`).add(`${module}/__init__.py`)
      }
    }
  }
  return hasEndIn(ends)
}
