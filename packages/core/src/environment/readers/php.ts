import { commandClaim, place, toolClaim, unreadable } from '../claims.ts'
import { jsonLine, readJson } from '../formats/json-text.ts'
import { fieldsOf, textOf } from '../formats/records.ts'
import { isObject } from '../../text/json-object.ts'
import type { CommandClaim, Reading } from '../found.ts'
import type { Folder } from '../files/repository-files.ts'

const FILE = 'composer.json'

export function php(folder: Folder): Reading | null {
  if (!folder.has(FILE)) return null
  const text = folder.text(FILE)
  const json = text === null ? null : readJson(text)
  const manifest = fieldsOf(json)
  const scripts = fieldsOf(manifest['scripts'])
  const script = (purpose: 'build' | 'test' | 'lint') =>
    Object.hasOwn(scripts, purpose)
      ? commandClaim(
          folder,
          'php',
          purpose,
          purpose === 'test' ? testScript(textOf(scripts[purpose])) : `composer run-script ${purpose}`,
          place(folder, FILE, jsonLine(text ?? '', ['scripts', purpose])),
          'said',
        )
      : []
  const wanted = fieldsOf(manifest['require-dev'])
  const program = Object.hasOwn(wanted, 'pestphp/pest') ? 'vendor/bin/pest' : 'vendor/bin/phpunit'
  const runner = `${program} ${NAMES}`
  const unit = ['phpunit.xml', 'phpunit.xml.dist', 'phpunit.dist.xml'].find((name) => folder.has(name))
  const test = script('test')
  const units = unitTests(folder, runner, unit, Object.hasOwn(wanted, 'phpunit/phpunit'))
  const version = textOf(fieldsOf(manifest['require'])['php'])
  return {
    tools: [
      ...toolClaim(
        'php',
        version,
        place(folder, FILE, version === null ? null : jsonLine(text ?? '', ['require', 'php'])),
      ),
      ...toolClaim('composer', null, place(folder, FILE)),
    ],
    commands: [
      ...commandClaim(folder, 'php', 'setup', 'composer install --no-interaction', place(folder, FILE)),
      ...script('build'),
      ...(test.length > 0 && !(units.length > 0 && LINTER.test(textOf(scripts['test']) ?? '')) ? test : units),
      ...script('lint'),
    ],
    techStack: ['PHP', ...(folder.has('artisan') ? ['Laravel'] : [])],
    notes: text !== null && !isObject(json) ? [unreadable(folder, FILE, 'a JSON object')] : [],
  }
}

/** Makes PHPUnit and Pest name passing tests, by their names in the source. */
const NAMES = '--log-junit php://stdout'

/** It only looks at sources and starts none: as a test it tests nothing. */
const LINTER =
  /^(?:@php\s{1,5})?(?:\.\/)?(?:vendor\/bin\/)?(?:phpcs|phpstan|psalm|php-cs-fixer|parallel-lint|rector|ecs|phpmd|pint)(?![\w/.-])[^&|;]{0,300}$/

/** Composer passes on words behind `--`; a script that is more than one call of a runner would not take them. */
const RUNNER = /^(?:@php\s{1,5})?(?:\.\/)?(?:vendor\/bin\/)?(?:phpunit|pest)(?![\w/.-])[^&|;]{0,300}$/

const testScript = (line: string | null): string =>
  line !== null && RUNNER.test(line) && !/\s--(?:\s|$|log-junit)/.test(line)
    ? `composer test -- ${NAMES}`
    : 'composer test'

/** Without a configuration file, PHPUnit has to be told where the tests are. */
function unitTests(folder: Folder, runner: string, config: string | undefined, asked: boolean): CommandClaim[] {
  if (config !== undefined) return commandClaim(folder, 'php', 'test', runner, place(folder, config))
  const [first] = folder.below(/^tests?\/.*Test\.php$/, 1)
  if (first === undefined || !(asked || runner.includes('pest'))) return []
  return commandClaim(folder, 'php', 'test', `${runner} ${first.split('/', 1)[0]}`, place(folder, FILE))
}
