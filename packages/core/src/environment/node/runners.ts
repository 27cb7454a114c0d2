/*
 * The purpose of a command line in a script, judged by its words alone.
 */

const PROGRAM = String.raw`^(?:npx (?:--?\S{1,30} )*|pnpm (?:exec )?|yarn (?:run )?|bunx? (?:--bun )?|node (?:--\S{1,60} )*(?:\./)?(?:node_modules/\.bin/|\S{1,80}\.[cm]?js ))?`
const program = (names: string): RegExp => new RegExp(`${PROGRAM}(?:${names})(?: |$)`)

/** Needs a browser, which no image of ours has. */
const BROWSER = program(
  String.raw`playwright test|cypress (?:run|open)|wdio|nightwatch|testcafe|karma|ng (?:test|e2e)|web-test-runner|wtr|protractor|test-storybook|start-server-and-test|percy`,
)
export const needsBrowser = (line: string): boolean =>
  BROWSER.test(line) ||
  /\s(?:karma start|cypress run|playwright test|wdio run)(?:\s|$)/.test(line) ||
  (/\bvitest\b/.test(line) && /\s--browser\b(?!=false)/.test(line))

/** Whether it keeps testing, even if nobody watches; runners that stop by themselves under `CI` do not count. */
export const watches = (line: string): boolean =>
  /(?:^|\s)(?:--watch(?:All)?|-w|--ui)(?:\s|$|=true)/.test(line)
    ? !program('tsc|rollup|webpack').test(line)
    : /^(?:npx )?(?:vitest (?:watch|dev)|nodemon|ng test$)(?:\s|$)/.test(line)

/** The words that make it end, if it takes them after its own; else null. */
export function untilItEnds(line: string): string | null {
  if (program('vitest').test(line)) return '--run --watch=false --ui=false'
  if (program('jest|react-scripts test|craco test|react-app-rewired test').test(line))
    return '--watch=false --watchAll=false'
  return program('mocha').test(line) ? '--no-watch' : null
}

/** Parts of a script that test, rather than lint, build or check types. */
const RUNNERS = program(
  String.raw`vitest|jest|mocha|ava|tap|tape|jasmine|uvu|qunit|c8|nyc|borp|poku|tsd|react-scripts test|craco test|aegir test|vue-cli-service test:unit|node .{0,100}--test|node .{0,60}node_modules/(?:vitest|jest-cli|jest|mocha|ava|tap)/\S{1,60}|tsx .{0,100}--test|bun test|deno test`,
)
export const isRunner = (line: string): boolean => RUNNERS.test(line)

/** Programs that look at sources or types, and run no code. */
const LINTERS = program(
  String.raw`eslint|xo|standard|semistandard|ts-standard|prettier|biome|oxlint|tslint|stylelint|jshint|markdownlint(?:-cli2)?|remark|cspell|dprint|knip|depcheck|publint|attw|tsd|dtslint|check-dts|type-coverage|vue-tsc|svelte-check|astro check|installed-check|lockfile-lint|ls-lint|sort-package-json|tsgo|tsc(?= .{0,200}--noEmit| .{0,200}--emitDeclarationOnly)`,
)
export const isLinter = (line: string): boolean => LINTERS.test(line)

/** Starts something in the workspaces. */
const INTO_WORKSPACES =
  /(?:^|\s)(?:turbo|nx|lerna|lage|wireit|moon|rush|wsrun|ultra|pnpm (?:-r|--recursive|--filter|-F|run -r|run --recursive|m)|yarn workspaces?|bun .{0,40}--filter)(?:\s|=|$)|^npm .{0,200}(?:\s-ws\b|\s--workspaces?\b|\s-w\s)|^pnpm .{0,200}\s(?:-r|--recursive|--filter\b|-F)/
/** Whether it runs in all workspaces that have the script or match a pattern, and not only in named ones. */
export const isForWorkspaces = (line: string): boolean => INTO_WORKSPACES.test(line) && chosenIn(line).length === 0

const CHOICE = /(?:^yarn workspace|\s(?:-w|--workspace|--filter|-F|--scope|--include))(?:\s+|=)["']?([^\s"']{1,200})/g

/**
 * The workspaces that a line names one by one, by their folders or names; it leaves out all others. Empty if it names
 * none, or a pattern (`packages/*`, `!docs`, `shop...`).
 */
export function chosenIn(line: string): string[] {
  if (!INTO_WORKSPACES.test(line)) return []
  const chosen = [...[...line.matchAll(CHOICE)].map(([, name = '']) => name), ...chosenOfNx(line)]
  return chosen.some((name) => /[*!^{}[\]]|\.{3}|^tag:/.test(name)) ? [] : chosen
}

/** `nx test shop`, `nx run shop:test`, `nx run-many -t test -p shop,api`. */
function chosenOfNx(line: string): string[] {
  const many = /^(?:npx )?nx run-many .{0,200}?(?:--projects?|-p)[= ]["']?([^\s"']{1,300})/.exec(line)?.[1]
  if (many !== undefined) return many.split(',').filter(Boolean)
  const own =
    /^(?:npx )?nx (?:run ([@\w./-]{1,200}):[\w:-]{1,60}|(?!run\b|run-many\b|affected\b|exec\b)[a-z][\w:-]{0,60} (?![-=])([@\w./-]{1,200}))(?: |$)/
  const [, run, project = run] = own.exec(line) ?? []
  return project === undefined ? [] : [project]
}

/** Whether it only prints, ends or compiles, and starts no code: as a test it tests nothing. */
export const testsNothing = (line: string): boolean => isLinter(line) || /^(?:tsc|echo|exit|true|:)(?: |$)/.test(line)

/** The script, if the line only runs it in all workspaces, by the package manager alone. */
export function scriptOfAll(line: string): string | null {
  const forms = [
    /^pnpm (?:-r|--recursive|recursive|m)(?: --?[a-z-]+(?:=\S{1,40})?){0,4}(?: run)? ([\w:-]{1,60})$/,
    /^pnpm run (?:-r|--recursive) ([\w:-]{1,60})$/,
    /^yarn workspaces run ([\w:-]{1,60})$/,
  ]
  return forms.map((form) => form.exec(line)?.[1]).find((script) => script !== undefined) ?? null
}

/** The target of a call of Nx without a project (it needs a default), or for the projects that a branch changes. */
export function targetOfNx(line: string): string | null {
  const forms = [
    /^(?:npx )?nx (?!run\b|run-many\b|affected\b|exec\b|reset\b|serve\b|format\b|graph\b)([a-z][\w-]{0,60})$/,
    /^(?:npx )?nx affected:([\w-]{1,60})(?: --?[a-z-]+(?:=\S{1,40})?){0,6}$/,
    /^(?:npx )?nx affected (?:--targets?[= ]|-t )([\w-]{1,60})(?: --?[a-z-]+(?:=\S{1,40})?){0,6}$/,
  ]
  return forms.map((form) => form.exec(line)?.[1]).find((target) => target !== undefined) ?? null
}

/** The runner itself, without its arguments. */
export const runnerOf = (line: string): string =>
  /\b(?:vitest|jest|mocha|ava|bun test|--test)\b/.exec(line)?.[0] ?? line

/** Runners that look in all folders for tests, unless they are told where. */
const WHOLE = program('vitest|jest|ava|bun test|node --test')
export const looksEverywhere = (line: string): boolean =>
  WHOLE.test(line) &&
  !/\s(?:--(?:dir|root|rootDir|config|project|projects|selectProjects|testPathPattern|roots)\b|-c\s)/.test(line) &&
  line
    .split(/\s+/)
    .slice(1)
    .every((word) => /^(?:-|run$|vitest$|jest$|ava$|test$|\d+$)/.test(word))
