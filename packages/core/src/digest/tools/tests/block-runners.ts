import { blockTests, type Verdict } from '../../reading/failure-blocks.ts'
import { exunitVerdicts, minitestVerdicts, rspecVerdicts } from './verdict-lines.ts'

/** RSpec's progress and documentation formats. */
export const rspec = blockTests({
  name: 'rspec',
  command: /\brspec\b/,
  signs: ['     Failure/Error: ', 'Failed examples:', ' examples, ', ' example, '],
  fromStart: true,
  head: (line) => {
    const name = line.startsWith('  ') ? /^ {2,6}\d{1,6}\) (\S.{0,500})$/.exec(line)?.[1] : undefined
    return name === undefined ? null : { path: [name] }
  },
  ends: /^(?:Finished in |Failed examples:|Pending: |Top \d)/,
  noise: /^\s*\(compared using ==\)$/,
  harmless: { from: /^Pending: /, to: /^(?:Failures:|Finished in )/ },
  place: /^\s*# \.\/((?!vendor\/)\S{1,300}:\d{1,9})/,
  total:
    /^(?<tests>\d{1,9}) examples?, (?<failed>\d{1,9}) failures?(?:, (?<skipped>\d{1,9}) pending)?(?:, (?<failedOutside>\d{1,9}) errors? occurred outside of examples)?$/,
  partly: true,
  verdicts: rspecVerdicts,
})

export const minitest = blockTests({
  name: 'minitest',
  command: null,
  signs: ['# Running:', ') Failure:', ') Error:', ' runs, '],
  group: /^ {1,4}\d{1,6}\) (Failure|Error):$/,
  head: (line, group) => {
    if (group === '' || !line.includes('#')) return null
    const [, name, place] =
      /^([A-Z][\w:]{0,200}#\S{1,300}?|\S.{0,200}?#test_\d{4}_.{1,300}?)(?: \[(.{1,300})\])?:$/.exec(line) ?? []
    if (name === undefined) return null
    return { path: name.split('#'), title: name, ...(place !== undefined && { detail: [`${place}:`] }) }
  },
  ends: /^ {1,4}\d{1,6}\) (?:Failure|Error|Skipped):$/,
  place: /^ {4,8}(\S{1,300}\.rb:\d{1,9}):in /,
  total:
    /^(?<tests>\d{1,9}) (?:runs|tests), \d{1,9} assertions, (?<failed>\d{1,9}) failures, (?<failedErrors>\d{1,9}) errors(?:, (?<skipped>\d{1,9}) skips)?/,
  partly: true,
  verdicts: minitestVerdicts,
})

export const phpunit = blockTests({
  name: 'phpunit',
  command: /\b(?:phpunit|pest)\b/,
  signs: ['PHPUnit ', 'FAILURES!', 'ERRORS!', 'No tests executed!'],
  head: (line) => {
    const name = /^\d{1,6}\) ([\w\\]{1,300}::.{1,300})$/.exec(line)?.[1]
    return name === undefined ? null : { path: name.split('::'), title: name }
  },
  ends: /^(?:--|FAILURES!|ERRORS!|There (?:was|were) .{1,80}:)$/,
  place: /^(\/?\S{1,300}\.php:\d{1,9})$/,
  total:
    /^(?:No tests executed!(?<testsNone>)$|OK \((?<passed>\d{1,9}) tests?, .*\)|Tests: (?<tests>\d{1,9}), Assertions: \d{1,9}(?:, Errors: (?<failedErrors>\d{1,9}))?(?:, Failures: (?<failed>\d{1,9}))?(?:, (?!Skipped|Incomplete)[\w ]{1,40}: \d{1,9})*(?:, (?:Skipped|Incomplete): (?<skipped>\d{1,9}))?[.,].*)$/,
})

export const exunit = blockTests({
  name: 'exunit',
  command: /\bmix\s+test\b/,
  signs: ['test', 'doctest', 'property', 'tests', 'doctests', 'properties'].flatMap((what) => [
    `  * ${what} `,
    `  1) ${what} `,
    ` ${what}, 0 failures`,
    'There are no tests to run',
  ]),
  head: (line) => {
    const [, name, module] =
      /^ {1,4}\d{1,6}\) (?:test|property|doctest) (.{1,400}) \(([\w.]{1,200})\)$/.exec(line) ?? []
    return name === undefined || module === undefined ? null : { path: [module, name], title: `${module}: ${name}` }
  },
  ends: /^Finished in |^ {2}\* (?:test|doctest|property) /,
  noise: /^[.*]{1,300}$|^\s*stacktrace:$|^\s*\(\w+ [\d.]+\) /,
  place: /^ {5,8}((?:apps|lib|test)\/\S{1,300}:\d{1,9})/,
  total:
    /^There are no tests to run$(?<testsNone>)|^(?=\d{1,9} (?:doctest|propert|test))(?:(?<testsOfDocs>\d{1,9}) doctests?, )?(?:(?<testsOfProperties>\d{1,9}) propert(?:y|ies), )?(?:(?<tests>\d{1,9}) tests?, )?(?<failed>\d{1,9}) failures?(?:, (?<skippedByTag>\d{1,9}) excluded)?(?:, \d{1,9} invalid)?(?:, (?<skipped>\d{1,9}) skipped)?/,
  partly: true,
  verdicts: exunitVerdicts,
})

/** Lua's busted. */
export const busted = blockTests({
  name: 'busted',
  command: /\bbusted\b/,
  signs: ['Failure -> ', 'Error -> ', ' successes / ', ' success / '],
  group: /^(?:Failure|Error) -> (\S.{0,300} @ \d{1,9})$/,
  head: (line, group) =>
    group === '' || line === '' || !/^\S/.test(line) || BUSTED_SAID.test(line) ? null : { path: [line], detail: [] },
  ends: /^(?:Failure|Error) -> /,
  noise: /^stack traceback:$|^\s*\[C\]:/,
  total: /^(?<passed>\d{1,9}) success(?:es)? \/ (?<failed>\d{1,9}) failures? \/ (?<failedErrors>\d{1,9}) errors? \//,
})
const BUSTED_SAID = /^(?:Passed in|Expected|\(\w+\)|\S+:\d+: |stack traceback)/

/** Gradle's output about JUnit, TestNG and Kotest; compilers report their own errors. */
export const gradle = blockTests({
  name: 'gradle',
  command: /\bgradlew?\b/,
  signs: ['> Task :', '\nBUILD SUCCESSFUL in ', ' tests completed, ', ' test completed, '],
  head: (line) => {
    if (!line.endsWith(' FAILED') || line.startsWith('>')) return null
    const path = line.slice(0, -' FAILED'.length).split(' > ')
    return path.length < 2 || !/^[\w$.]/.test(line) ? null : { path, title: path.join(' > ') }
  },
  ends: /^(?:\S.{0,300} > .{1,300} (?:PASSED|SKIPPED|STANDARD_OUT|STANDARD_ERROR)|> Task :.*|\d{1,9} tests? completed, .*|FAILURE: .*)$/,
  place:
    /^\s{4,12}at (?:\w{1,60}\/\/?)?(?!(?:java|jdk|kotlin|org\.(?:junit|assertj|hamcrest|testng|opentest4j|mockito))\.)[\w$.]{1,300}\(([\w$]{1,200}\.(?:java|kt|groovy|scala):\d{1,9})\)$/,
  total: /^(?<tests>\d{1,9}) tests? completed, (?<failed>\d{1,9}) failed(?:, (?<skipped>\d{1,9}) skipped)?/,
  // Verdicts of passing tests need a setting; without it, Gradle does not mention tests unless one fails.
  uncounted: true,
  verdict: (line): Verdict | null => {
    const [, name, said] =
      / (?:PASSED|FAILED|SKIPPED)$/.test(line) && line.includes(' > ')
        ? (/^([\w$.].{0,600}) (PASSED|FAILED|SKIPPED)$/.exec(line) ?? [])
        : []
    return name === undefined ? null : { name, is: said === 'SKIPPED' ? 'skipped' : 'ran' }
  },
})
