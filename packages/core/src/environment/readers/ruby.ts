import { commandClaim, place, toolClaim } from '../claims.ts'
import { linesOf } from '../formats/lines.ts'
import type { Place, Reading, ToolClaim } from '../found.ts'
import type { Folder } from '../repository-files.ts'

const GEMFILE = 'Gemfile'
const LOCK = 'Gemfile.lock'

export function ruby(folder: Folder): Reading | null {
  if (!folder.has(GEMFILE)) return null
  const gemspec = folder.names.find((name) => name.endsWith('.gemspec'))
  const gems = `${folder.text(GEMFILE) ?? ''}\n${gemspec === undefined ? '' : (folder.text(gemspec) ?? '')}`
  const test = testOf(folder, gems)
  return {
    tools: [...rubyOf(folder), ...(gemspec === undefined ? [] : leastOf(folder, gemspec)), ...bundlerOf(folder)],
    commands: [
      ...commandClaim(folder, 'ruby', 'setup', 'bundle install', place(folder, GEMFILE)),
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

function testOf(folder: Folder, gems: string): { command: string; from: Place } | null {
  if (folder.has('.rspec')) return { command: 'bundle exec rspec', from: place(folder, '.rspec') }
  if (folder.has('bin/rails')) return { command: 'bin/rails test', from: place(folder, 'bin/rails') }
  if (/["']rspec(?:-rails)?["']/.test(gems)) return { command: 'bundle exec rspec', from: place(folder, GEMFILE) }
  return folder.has('Rakefile') ? { command: 'bundle exec rake test', from: place(folder, 'Rakefile') } : null
}
