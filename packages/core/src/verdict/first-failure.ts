/*
 * Commands that end at their first failure, so that the results of later tests are unknown. The same letters mean
 * different things to each tool: `-x` ends pytest, but excludes a task of Gradle.
 */

type Ending = {
  /** Options that make it end. An option with the value 0 or false, or with `no-` before its name, revokes it. */
  ends: readonly string[]
  /** Several letters behind one dash, with one that makes it end. */
  joined?: RegExp
  /** It ends anyway, without one of these. */
  unless?: readonly string[]
}

/** By tool. Tools that report it in their output need no entry: Cargo, Maven's modules, pytest's settings. */
const endings: Readonly<Record<string, Ending>> = {
  pytest: { ends: ['-x', '--exitfirst', '--maxfail'], joined: /^-[vqslh]*x[vqslhx]*$/ },
  unittest: { ends: ['-f', '--failfast'], joined: /^-[vqbc]*f[vqbcf]*$/ },
  'go-test': { ends: ['-failfast', '--failfast', '-test.failfast'] },
  gotestsum: { ends: ['-failfast', '--failfast', '--max-fails'] },
  maven: { ends: ['-Dsurefire.skipAfterFailureCount', '-Dfailsafe.skipAfterFailureCount'] },
  gradle: { ends: ['--fail-fast'], unless: ['--continue'] },
  ctest: { ends: ['--stop-on-failure'] },
  meson: { ends: ['--maxfail'] },
  vitest: { ends: ['--bail'] },
  jest: { ends: ['--bail', '-b'] },
  mocha: { ends: ['--bail', '-b'] },
  ava: { ends: ['--fail-fast'] },
  'bun-test': { ends: ['--bail'] },
  'deno-test': { ends: ['--fail-fast', '--failfast'] },
  playwright: { ends: ['-x', '--max-failures'] },
  tap: { ends: ['--bail', '-b'] },
  uvu: { ends: ['--bail', '-b'] },
  jasmine: { ends: ['--fail-fast', '--stop-on-failure'] },
  cucumber: { ends: ['--fail-fast'] },
  behave: { ends: ['--stop'] },
  robot: { ends: ['--exitonfailure', '-X'] },
  rspec: { ends: ['--fail-fast'] },
  phpunit: { ends: ['--stop-on-failure', '--stop-on-error', '--stop-on-defect', '--bail'] },
  exunit: { ends: ['--max-failures'] },
  busted: { ends: ['--no-keep-going'] },
}

/** Tools that run the tests of several packages, one after the other. */
const ofPackages: readonly (readonly [RegExp, Ending])[] = [
  [/\bpnpm\s(?:\S{1,100}\s){0,20}?(?:-r|--recursive|recursive)(?=\s|$)/, { ends: [], unless: ['--no-bail'] }],
  [/\bturbo\s/, { ends: [], unless: ['--continue'] }],
  [/\blerna\s+run\b/, { ends: [], unless: ['--no-bail'] }],
  [/\byarn\s+workspaces\s+run\b/, { ends: [], unless: [] }],
  [/\bnx\s/, { ends: ['--nxBail', '--nx-bail'] }],
  [/\bnox(?=\s|$)/, { ends: ['-x', '--stop-on-first-error'] }],
  [/\btox(?=\s|$)/, { ends: ['--fail-fast'] }],
]

/** For an unknown program, only words that mean the same everywhere count. */
const unknown: Ending = { ends: ['--bail', '--failfast', '--fail-fast', '--exitfirst', '--stop-on-failure'] }

/** Commands that people write have fewer words. */
const MOST_WORDS = 500

/** @param runner the tool that these words start, and the place of its first option; null: unknown */
export function endsAtFirst(words: string, runner: { name: string; at: number } | null): boolean {
  const around = ofPackages.find(([program]) => program.test(words))
  if (around !== undefined && isEnded(words, around[1])) return true
  const ending = runner === null ? unknown : endings[runner.name]
  return ending !== undefined && isEnded(words.slice(runner?.at ?? 0), ending)
}

function isEnded(words: string, { ends, joined, unless }: Ending): boolean {
  const all = words.split(/\s+/, MOST_WORDS)
  let ended = unless !== undefined && !all.some((word) => unless.includes(word.split('=', 1)[0] ?? ''))
  for (const [at, word] of all.entries()) {
    const [name = '', value] = word.split(/=(.*)/s, 2)
    const plain = name.replace(/^--no-/, '--')
    if (joined?.test(name) === true) ended = true
    else if (ends.includes(name)) ended = !isOff(value ?? all[at + 1])
    else if (plain !== name && ends.includes(plain)) ended = false
  }
  return ended
}

const isOff = (value: string | undefined): boolean =>
  value !== undefined && /^["']?(?:0|false|off|no)["']?$/.test(value)
