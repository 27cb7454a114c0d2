/** Hosts that package managers ask, and what they get there. */
const REGISTRIES: readonly [host: RegExp, name: string, what: string][] = [
  [/\b(?:index\.)?rubygems\.org\b/, 'rubygems.org', 'Bundler gets gems from'],
  [/\b(?:repo\.)?packagist\.org\b/, 'packagist.org', 'Composer gets packages from'],
  [/\b(?:repo\.|builds\.)?hex\.pm\b/, 'hex.pm', 'Mix gets packages from'],
  [/\bapi\.nuget\.org\b/, 'api.nuget.org', '.NET gets packages from'],
  [/\bservices\.gradle\.org\b/, 'services.gradle.org', "Gradle's wrapper gets Gradle from"],
  [/\bplugins\.gradle\.org\b/, 'plugins.gradle.org', 'Gradle gets plugins from'],
  [/\bpub\.dev\b/, 'pub.dev', 'Dart gets packages from'],
  [/\bregistry\.npmjs\.org\b/, 'registry.npmjs.org', 'npm gets packages from'],
  [/\b(?:pypi\.org|files\.pythonhosted\.org)\b/, 'pypi.org', 'pip gets packages from'],
  [/\b(?:static\.|index\.)?crates\.io\b/, 'crates.io', 'Cargo gets crates from'],
  [/\b(?:proxy|sum)\.golang\.org\b/, 'proxy.golang.org', 'Go gets modules from'],
  [/\brepo\.maven\.apache\.org\b|\brepo1\.maven\.org\b/, 'repo.maven.apache.org', 'Maven gets artifacts from'],
  [/\bnpm\.jsr\.io\b|\bjsr\.io\b/, 'jsr.io', 'packages of JSR come from'],
  [/\brepo\.clojars\.org\b/, 'repo.clojars.org', 'Leiningen gets packages from'],
  [/\bhackage\.haskell\.org\b/, 'hackage.haskell.org', 'Cabal gets packages from'],
  [/\bopam\.ocaml\.org\b/, 'opam.ocaml.org', 'opam gets packages from'],
  [
    /\b(?:www\.cpan\.org|(?:fastapi|cpan)\.metacpan\.org|cpanmetadb\.plackperl\.org)\b/,
    'cpan.org',
    'cpanm gets modules from',
  ],
  [/\b(?:cloud|cran)\.r-project\.org\b/, 'cran.r-project.org', 'R gets packages from'],
  [/\bdeb\.debian\.org\b/, 'deb.debian.org', "Debian's packages come from"],
  [/\bgithub\.com\b/, 'github.com', 'the build gets sources from'],
]

const AWAY =
  /curl error \d|misconfigured dns|could not (?:reach|resolve|connect)|cannot (?:reach|resolve|connect)|couldn't (?:resolve|connect)|failed to connect|unable to (?:connect|access|resolve|fetch|load the service index)|connection (?:refused|reset|timed out)|connect(?:ion)? timed? ?out|timed out|timeout|getaddrinfo|name or service not known|temporary failure (?:in name resolution|resolving)|no such host|unknownhostexception|connectexception|nxdomain|econnrefused|enotfound|eai_again|network is unreachable|proxyconnect|tunnel|(?:http|status|code|error|response|got|returned|_|-|:)[ /:\d.]{0,12}(?:403|407|502|503|504)\b|forbidden|bad gateway|service unavailable|transfer failed for |curl failed: |download_fail/i

const LONGEST_LINE = 1000

/** Finds in the output of `setup` a registry that is out of reach, and says what a person can do. */
export function registryTrouble(output: string): string | null {
  const away = registryAway(output)
  return away === null
    ? null
    : `${away}. Whoever runs this server's machine can let it through; otherwise name a mirror that can be reached in "setup", or an "image" that has the packages already, in beadloom.json.`
}

/** The registry that is out of reach. A line has to say so about a host that it, or a line near it, names. */
export function registryAway(output: string): string | null {
  const lines = output.split('\n').map((line) => line.slice(0, LONGEST_LINE))
  for (const [at, line] of lines.entries()) {
    if (!AWAY.test(line)) continue
    const near = [line, ...lines.slice(Math.max(0, at - NEAR), at + NEAR + 1)]
    for (const text of near)
      for (const [host, name, what] of REGISTRIES)
        if (host.test(text)) return `${name}, where ${what}, cannot be reached from the containers here`
  }
  return null
}

const NEAR = 2
