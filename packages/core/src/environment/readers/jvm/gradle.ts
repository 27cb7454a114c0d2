import { commandClaim, place, toolClaim } from '../../claims.ts'
import { lineAt } from '../../formats/lines.ts'
import type { Reading, ToolClaim } from '../../found.ts'
import type { Folder } from '../../files/repository-files.ts'
import { javaNumber, wrapperVersion } from './jvm-words.ts'

export const GRADLE_FILES = ['build.gradle.kts', 'build.gradle', 'settings.gradle.kts', 'settings.gradle']

/** The script of a wrapper only starts this. */
const WRAPPER_JAR = 'gradle/wrapper/gradle-wrapper.jar'

export const hasGradleWrapper = (folder: Folder): boolean => folder.has('gradlew') && folder.has(WRAPPER_JAR)

/**
 * As with Maven, `setup` fetches what tests need and, unless that fails, runs none. It fails if the wrapper cannot get
 * its Gradle: then nothing can be verified.
 */
export function gradle(folder: Folder): Reading {
  const builds = GRADLE_FILES.filter((name) => folder.has(name))
  const wrapped = hasGradleWrapper(folder)
  const call = wrapped ? 'sh ./gradlew' : 'gradle'
  const from = place(folder, wrapped ? 'gradlew' : (builds[0] ?? ''))
  const kotlin = builds.some((name) => name.endsWith('.kts')) || folder.names.some((name) => name.endsWith('.kt'))
  const task = builds.some((name) => MULTIPLATFORM.test(folder.text(name) ?? '')) ? 'jvmTest' : 'test'
  const fetch = `${call} --no-daemon -Dorg.gradle.configuration-cache=false -I /tmp/fetch.gradle --continue ${task}`
  const setup = `${call} --no-daemon --version && ${NAMES} && ${FETCHES} && { ${fetch} || ${call} --no-daemon --continue ${task} || true; }`
  return {
    tools: [
      ...javaOf(folder, builds),
      ...toolClaim('gradle', wrapperVersion(folder, 'gradle/wrapper/gradle-wrapper.properties', 'gradle'), from),
    ],
    commands: [
      ...commandClaim(folder, 'gradle', 'setup', setup, from),
      ...commandClaim(folder, 'gradle', 'test', `${call} --no-daemon --offline --continue ${task}`, from),
    ],
    techStack: [kotlin ? 'Java or Kotlin' : 'Java', 'Gradle'],
  }
}

/** Makes Gradle name passing tests, and run tests even if nothing has changed. It overrides the project's builds. */
const NAMES = `mkdir -p ~/.gradle/init.d && echo 'projectsEvaluated { rootProject.allprojects { tasks.withType(AbstractTestTask) { outputs.upToDateWhen { false }; testLogging.events("passed", "skipped", "failed") } } }' > ~/.gradle/init.d/names.gradle`

/**
 * Compiles everything. Each test task resolves what it and its project's plugins need, and is then skipped. A plugin's
 * needs that cannot be had are ignored; those of the tests are not.
 */
const FETCHES = `echo 'projectsEvaluated { rootProject.allprojects { p -> p.tasks.withType(AbstractTestTask) { onlyIf { t -> if (t.hasProperty("classpath")) { t.classpath.files }; p.configurations.findAll { it.canBeResolved }.each { c -> try { c.resolvedConfiguration.lenientConfiguration.files } catch (Exception e) { } }; false } } } }' > /tmp/fetch.gradle`

/** A multiplatform project has a task for each platform, and none called `test`. */
const MULTIPLATFORM = /^(?!.{0,300}\bapply\s+false).{0,300}(?:kotlin\(\s{0,5}"multiplatform"|kotlin\.multiplatform)/m

/**
 * A toolchain of the project is the version to take; compatibility is only a minimum for running the result. A launcher
 * of one task (`launcherFor { languageVersion = … }`) counts for that task alone.
 */
const TOOLCHAINS = [
  /\btoolchain\s{0,5}\{[^{}]{0,300}?JavaLanguageVersion\.of\(\s{0,5}["']?(\d{1,3})/,
  /\btoolchain\.languageVersion[^\n]{0,40}?JavaLanguageVersion\.of\(\s{0,5}["']?(\d{1,3})/,
  /\bjvmToolchain\(\s{0,5}(\d{1,3})/,
]
const COMPATIBILITY = [
  /(?:source|target)Compatibility\s{0,5}=?\s{0,5}(?:JavaVersion\.VERSION_)?["']?((?:1[._])?\d{1,3})/,
  /options\.release(?:\.set\(|\s{0,5}=)\s{0,5}(\d{1,3})/,
]

function javaOf(folder: Folder, builds: readonly string[]): ToolClaim[] {
  for (const [patterns, least] of [
    [TOOLCHAINS, false],
    [COMPATIBILITY, true],
  ] as const)
    for (const file of builds)
      for (const pattern of patterns) {
        const text = folder.text(file) ?? ''
        const found = pattern.exec(text)
        const version = found?.[1]?.replace('_', '.')
        if (found === null || version === undefined) continue
        // The block begins above the line with the version.
        const line = lineAt(text, found.index + found[0].length)
        return toolClaim('java', javaNumber(version), place(folder, file, line), { least })
      }
  return toolClaim('java', null, place(folder, builds[0] ?? ''))
}
