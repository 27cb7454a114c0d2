import { commandClaim, place, toolClaim } from '../claims.ts'
import { linesOf } from '../formats/lines.ts'
import type { Place, Reading, ToolClaim } from '../found.ts'
import type { Folder } from '../files/repository-files.ts'

const GEMFILE = 'Gemfile'
const LOCK = 'Gemfile.lock'

/** Installed gems need no registry, but `bundle check` would ask it. */
const SETUP = '{ bundle install --local || bundle install; }'

export function ruby(folder: Folder): Reading | null {
  if (!folder.has(GEMFILE)) return null
  const gemspec = folder.names.find((name) => name.endsWith('.gemspec'))
  const gems = `${folder.text(GEMFILE) ?? ''}\n${gemspec === undefined ? '' : (folder.text(gemspec) ?? '')}`
  const test = testOf(folder, gems)
  return {
    tools: [...rubyOf(folder), ...(gemspec === undefined ? [] : leastOf(folder, gemspec)), ...bundlerOf(folder)],
    commands: [
      ...commandClaim(folder, 'ruby', 'setup', SETUP, place(folder, GEMFILE)),
      ...(test ? commandClaim(folder, 'ruby', 'test', test.command, test.from) : []),
      ...(folder.has('.rubocop.yml')
        ? commandClaim(folder, 'ruby', 'lint', 'bundle exec rubocop', place(folder, '.rubocop.yml'), 'said')
        : []),
    ],
    techStack: ['Ruby', ...(/^[ \t]{0,20}gem ["']rails["']/m.test(gems) ? ['Rails'] : [])],
  }
}

function rubyOf(folder: Folder): ToolClaim[] {
  for (const [at, line] of linesOf(folder.text(GEMFILE) ?? '').entries()) {
    const version = /^\s{0,20}ruby\s{1,5}\(?["']([^"']{1,40})["']/.exec(line)?.[1]
    if (version !== undefined) return toolClaim('ruby', version, place(folder, GEMFILE, at + 1))
  }
  return toolClaim('ruby', null, place(folder, GEMFILE))
}

function leastOf(folder: Folder, gemspec: string): ToolClaim[] {
  for (const [at, line] of linesOf(folder.text(gemspec) ?? '').entries()) {
    const version = /required_ruby_version\D{1,80}?["']([^"']{1,40})["']/.exec(line.slice(0, 300))?.[1]
    if (version !== undefined) return toolClaim('ruby', version, place(folder, gemspec, at + 1))
  }
  return []
}

/** The lock file ends with the version of Bundler that wrote it. */
function bundlerOf(folder: Folder): ToolClaim[] {
  const lines = linesOf(folder.text(LOCK) ?? '')
  const at = lines.indexOf('BUNDLED WITH')
  const version = at === -1 ? undefined : lines[at + 1]?.trim()
  return version ? toolClaim('bundler', version, place(folder, LOCK, at + 2), { least: true }) : []
}

/** Each command names the tests that pass, so that a missing one is noticed. */
function testOf(folder: Folder, gems: string): { command: string; from: Place } | null {
  const rakefile = folder.text('Rakefile') ?? ''
  const rspec = folder.has('.rspec') ? '.rspec' : /["']rspec(?:-rails|-core)?["']/.test(gems) ? GEMFILE : null
  if (rspec !== null) return { command: 'bundle exec rspec --format documentation', from: place(folder, rspec) }
  if (folder.has('bin/rails')) return { command: 'bin/rails test -v', from: place(folder, 'bin/rails') }
  if (TEST_TASK.test(rakefile) || (folder.has('Rakefile') && rakefile === ''))
    return { command: 'bundle exec rake test TESTOPTS=-v', from: place(folder, 'Rakefile') }
  const [first] = folder.below(/^test\/(?:.*\/)?(?:test_[^/]*|[^/]*_test)\.rb$/, 1)
  return first === undefined ? null : { command: MINITEST, from: place(folder, first) }
}

/** Also `Rake::TestTask.new`, which is called "test" by default, and Minitest's task. */
const TEST_TASK = /\bRake::TestTask\b|\bMinitest::TestTask\b|^\s{0,20}task\s{1,5}\(?(?::test\b|test:|["']test["'])/m

const MINITEST = `bundle exec ruby -Ilib -Itest -e 'Dir["./test/**/{test_*,*_test}.rb"].sort.each { |file| require file }' -- -v`
