// An address of the API that somebody opens in a tab, such as a log as text: the cookie alone opens nothing, and a browser
// sends no header along here. So this page, which has the value (src/api/page-value.ts), asks for a ticket.
const problem = document.querySelector('#problem')

function page() {
  try {
    return localStorage.getItem('beadloom.page') ?? ''
  } catch {
    return '' // no storage (a private window)
  }
}

async function open(address) {
  const asked = { headers: { 'x-beadloom-page': page() }, cache: 'no-store' }
  const answer = await fetch(`/api/ticket?for=${encodeURIComponent(address)}`, asked)
  const { url, error } = await answer.json()
  // Anybody can make a link to this page: it leads nowhere but to this server.
  if (answer.ok && url.startsWith('/api/')) return location.replace(url)
  problem.textContent =
    answer.status === 401 ? 'You’re not signed in here any more. Open the dashboard to sign in.' : error.message
}

open(location.hash.slice(1)).catch(() => {
  problem.textContent = 'The server does not answer. Reload this page to try again.'
})
