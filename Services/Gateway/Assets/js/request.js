// Requests that give up: a line may be dead without saying so, and whoever waits for an answer would wait as long as the page is there.

/** Milliseconds within which an answer is there, all of it, or counts as lost. */
const PATIENCE = 20_000;
/** For a picture: what a busy server takes to make it smaller, and bytes a millisecond of the slowest line that it may come by. */
const PICTURE = 60_000, SLOWEST = 32;

/** Milliseconds for pictures of so many bytes. */
export const pictureTimeout = (bytes) => PICTURE + Math.ceil(bytes / SLOWEST);

/** As `fetch`; what does not answer in time is thrown as what has no network is: nobody knows whether it was done. */
export function request(address, { timeout = PATIENCE, signal, ...options } = {}) {
  const late = AbortSignal.timeout(timeout);
  // Browsers that cannot have both give up when the caller does.
  const either = signal && AbortSignal.any ? AbortSignal.any([signal, late]) : (signal ?? late);
  return fetch(address, { ...options, signal: either });
}

/** What an address answers, all of it: `{ ok, status, content }`, the content read `as` "text" or "json". Null where it does not come, breaks off on the way, or is something else. */
export async function readWhole(address, { as = "text", ...options } = {}) {
  try {
    const answer = await request(address, options);
    return { ok: answer.ok, status: answer.status, content: answer.ok ? await answer[as]() : null };
  } catch {
    return null;
  }
}

/** Whether the same may succeed later. */
export const isPassing = ({ status }) => [408, 425, 429].includes(status) || status >= 500;

/** The answer, where asking again would not change it; throws where it would. */
export function settled(answer) {
  if (answer && isPassing(answer)) throw new Error(`Answered ${answer.status}.`);
  return answer;
}

/** Milliseconds for which the server asks to be left alone; none where it says nothing of it. A date is one of its own clock, which the answer says too. */
export function retryAfter(answer) {
  const said = answer?.headers.get("Retry-After");
  const wait = Number(said) * 1000 || Date.parse(said) - (Date.parse(answer?.headers.get("Date")) || Date.now());
  return wait > 0 ? wait : 0;
}
