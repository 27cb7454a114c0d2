import { linesOf } from '../../formats/lines.ts'
import type { Purpose } from '../../found.ts'

/** A runner before the program itself: `uv run pytest`, `python -m pytest`, `bundle exec rspec`. */
const RUNNER =
  '(?:uv run |poetry run |hatch run |pdm run |pipenv run |python3? -m |bundle exec |npx (?:--yes )?|(?:sh )?\\.\\/)?'

const PATTERNS: readonly [Purpose, RegExp][] = [
  // With only flags behind it: `yarn test` tests, but `npm install x` is for the machine of the workflow.
  [
    'setup',
    /^(?:npm (?:ci|i|install|clean-install)|pnpm (?:i|install)|yarn(?: install)?|bun (?:i|install))(?:\s--?(?!g(?:lobal)?\b)[a-z][\w=.-]{0,80})*$/,
  ],
  ['setup', new RegExp(`^${RUNNER}pip3? install\\b|^(?:uv sync|poetry install|pdm install|pipenv install)\\b`)],
  ['setup', /^(?:go mod download|cargo fetch|bundle install|composer install|dotnet restore|mix deps\.get)\b/],
  ['build', /^(?:npm|pnpm|yarn|bun) (?:run )?build\b|^(?:make|just|task) build\b|^(?:go|cargo|dotnet) build\b/],
  [
    'test',
    /^(?:pnpm (?:run )?(?:-r|--recursive)|yarn workspaces (?:foreach(?: --?[\w-]{1,30}){0,6} )?run|(?:npx |pnpm |yarn |bunx )?(?:turbo|lerna)(?: run)?) test\b|^(?:npx |pnpm |yarn )?nx run-many\b.{0,100}\btest\b|^node .{0,100}--test\b/,
  ],
  ['test', /^(?:npm|pnpm|yarn|bun) (?:run )?(?:t|test(?:[:-][\w:-]+)?)(?![\w:-])|^(?:make|just|task) (?:test|check)\b/],
  ['test', new RegExp(`^${RUNNER}(?:pytest|tox|nox|unittest|rspec|phpunit|vitest|jest|mocha)\\b`)],
  [
    'test',
    /^(?:go|cargo|dotnet|mix|deno|composer|swift|dart|flutter|meson|zig build) test\b|^ctest\b|^cargo nextest\b|^vendor\/bin\/(?:phpunit|pest)\b/,
  ],
  ['test', new RegExp(`^${RUNNER}(?:mvnw?|gradlew?)\\b.{0,200}\\b(?:test|verify|check|build)\\b`)],
  ['test', new RegExp(`^${RUNNER}rake (?:test|spec)\\b|^bin\\/rails test\\b`)],
  ['lint', /^(?:npm|pnpm|yarn|bun) (?:run )?lint\b|^(?:make|just|task) lint\b/],
  ['lint', new RegExp(`^${RUNNER}(?:ruff|flake8|black|mypy|pylint|rubocop|eslint|golangci-lint)\\b`)],
  ['lint', /^cargo (?:clippy|fmt)\b|^go vet\b|^mix (?:format|credo)\b|^dotnet format\b/],
]

const LONGEST = 300

/**
 * The lines of a script that build, test or lint, with their numbers from 0. A line cannot run elsewhere if it depends
 * on the workflow (`${{ … }}`) or continues on the next one.
 */
export function commandsIn(script: string): { purpose: Purpose; command: string; at: number }[] {
  return linesOf(script)
    .slice(0, MOST_LINES)
    .flatMap((whole, at) => {
      const command = whole.slice(0, LONGEST + 1).trim()
      if (command.length > LONGEST || command.includes('${{') || command.endsWith('\\')) return []
      return partsOf(command).flatMap((part) => {
        const purpose = PATTERNS.find(([, pattern]) => pattern.test(part))?.[0]
        return purpose === undefined ? [] : [{ purpose, command: part, at }]
      })
    })
}

/** `npm ci && npm test` is two commands; those after `cd` belong to another folder. */
function partsOf(command: string): string[] {
  if (/[|;`]|\bif\b|&(?!&)(?<!&&)/.test(command)) return [command]
  const parts = command.split('&&').map((part) => part.trim())
  const away = parts.findIndex((part) => /^(?:cd|pushd)\s/.test(part))
  return away === -1 ? parts : parts.slice(0, away)
}

const MOST_LINES = 200
