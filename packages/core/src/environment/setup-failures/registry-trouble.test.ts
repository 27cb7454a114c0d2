import { describe, expect, test } from 'vitest'
import { registryTrouble } from './registry-trouble.ts'

describe('a registry that is out of reach is named, with what a person can do', () => {
  test.each([
    ['rubygems.org', 'Could not reach host index.rubygems.org. Check your network connection and try again.'],
    [
      'packagist.org',
      'curl error 6 while downloading https://repo.packagist.org/packages.json: Could not resolve host: repo.packagist.org',
    ],
    [
      'packagist.org',
      '  curl error 6 while downloading https://repo.packagist.org/packages.json: Co  \n  uld not resolve host: repo.packagist.org',
    ],
    [
      'proxy.golang.org',
      'go: download go1.27.4: golang.org/toolchain@v0.0.1-go1.27.4.linux-amd64: Get "https://proxy.golang.org/golang.org/toolchain/@v/v0.0.1-go1.27.4.linux-amd64.zip": dial tcp: lookup proxy.golang.org on 192.0.2.53:53: i/o timeout',
    ],
    [
      'deb.debian.org',
      "Err:1 http://deb.debian.org/debian trixie InRelease\n  Temporary failure resolving 'deb.debian.org'",
    ],
    ['hex.pm', '** (Mix) httpc request failed with: {:failed_connect, …}\nCould not connect to https://builds.hex.pm'],
    ['api.nuget.org', 'error NU1301: Unable to load the service index for source https://api.nuget.org/v3/index.json.'],
    [
      'jsr.io',
      ' WARN  GET https://npm.jsr.io/~/11/@jsr/x/1.0.tgz error (ENOTFOUND). Will retry in 1 minute. 1 retries left.',
    ],
    [
      'services.gradle.org',
      'Downloading https://services.gradle.org/distributions/gradle-8.14-bin.zip\n\nException in thread "main" java.net.UnknownHostException: services.gradle.org',
    ],
    [
      'opam.ocaml.org',
      '[ERROR] Could not update repository "default": curl: (6) Could not resolve host: opam.ocaml.org',
    ],
    [
      'repo.clojars.org',
      'Could not find artifact lein-codox:lein-codox:jar:0.10.8 in central (https://repo1.maven.org/maven2/)\nCould not transfer artifact lein-codox:lein-codox:jar:0.10.8 from/to clojars (https://repo.clojars.org/): transfer failed for https://repo.clojars.org/lein-codox/lein-codox/0.10.8/lein-codox-0.10.8.jar',
    ],
    [
      'hackage.haskell.org',
      'Host name: hackage.haskell.org\nNetwork.Socket.getAddrInfo (called with ...): does not exist (Temporary failure in name resolution)',
    ],
    ['cpan.org', '! Finding Foo on cpanmetadb failed.\n! cannot connect to https://cpan.metacpan.org'],
  ])('%s', (name, output) => {
    expect(registryTrouble(`line\n${output}\nline`)).toContain(`${name}, where `)
  })

  test('and nothing is said of one that answers, or of a failure without one', () => {
    expect(registryTrouble('Fetching gem metadata from https://rubygems.org/\nCould not find gem "x"')).toBeNull()
    expect(registryTrouble('tests timed out after 5 s')).toBeNull()
    expect(registryTrouble('downloaded 601, added 504\nGET https://registry.npmjs.org/x/-/x-1.tgz: 404')).toBeNull()
  })

  test.each([
    'npm error code E403\nnpm error 403 403 Forbidden - GET https://registry.npmjs.org/x',
    '[ERR_PNPM_FETCH_503] GET https://registry.npmjs.org/x: 503',
    'ERROR: HTTP error 502 while getting https://registry.npmjs.org/x',
    'failed to get successful HTTP response from `https://registry.npmjs.org/x`, got 503',
  ])('a number counts if it is an answer: %s', (output) => {
    expect(registryTrouble(output)).toContain('registry.npmjs.org, where ')
  })
})
