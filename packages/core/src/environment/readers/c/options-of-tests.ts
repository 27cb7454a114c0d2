/**
 * Whether an option of a build leaves its tests out unless it is set.
 *
 * @param words the description of the option
 * @param project the name of the project
 */
export function buildsTests(name: string, words: string, project: string): boolean {
  if (OTHER_TESTS.test(name)) return false
  const [is, part] = BUILDS_TESTS.exec(name) ?? []
  if (is === undefined) return SAID_TO_BUILD.test(words) && !OTHER_TESTS.test(words)
  // `ENABLE_SSL_TESTS` may need something that is missing; `BUILD_SHOP_TESTS` belongs to the project called Shop.
  return part === undefined || isLike(part, project)
}

const isLike = (part: string, project: string): boolean => {
  const [own, other] = [part, project].map((name) => name.toLowerCase().replace(/[^a-z\d]/g, ''))
  return own !== undefined && other !== undefined && other !== '' && (own.includes(other) || other.includes(own))
}

const BUILDS_TESTS =
  /(?:^|[_-])(?:(?:BUILD|ENABLE|WITH|MAKE|COMPILE)[_-](?:(?:ALL|THE|OWN)[_-])?(?:(?!UNIT[_-]?TEST)(\w{1,30})[_-])?(?:UNIT[_-]?)?TEST(?:S|ING)?|(?:UNIT[_-]?)?TESTS?(?:[_-]ENABLED?)?)$/i
const SAID_TO_BUILD = /^(?:build|compile|enable)s? (?:the |all |unit |own )*(?:unit)?tests?\b/i
/** `WITHOUT_TESTS` leaves them out. */
const OTHER_TESTS =
  /INSTALL|FUZZ|BENCH|PERF|COVERAGE|DOWNLOAD|PYTHON|JAVA|GPU|CUDA|INTEGRATION|SLOW|STRESS|MANUAL|WITHOUT|(?:^|[_-]|\b)(?:NO|SKIP|DISABLE|EXCLUDE|OMIT)(?:[_-]|\b)/i
