// What a device keeps of messages that are not sent yet: for one person, until they are sent, or that person signs out.

let opened;

const open = () =>
  (opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("kampong", 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("outbox", { keyPath: "id" });
      request.result.createObjectStore("device");
    };
    request.onsuccess = () => {
      request.result.onversionchange = () => (request.result.close(), (opened = undefined));
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  }));

async function run(name, mode, act) {
  const base = await open();
  return new Promise((resolve, reject) => {
    const transaction = base.transaction(name, mode);
    const request = act(transaction.objectStore(name));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });
}

/** All of them, the oldest first: their ids begin with the time. */
export const all = () => run("outbox", "readonly", (store) => store.getAll());
export const find = (id) => run("outbox", "readonly", (store) => store.get(id));
export const keep = (entry) => run("outbox", "readwrite", (store) => store.put(entry));
export const drop = (id) => run("outbox", "readwrite", (store) => store.delete(id));
export const clear = () => run("outbox", "readwrite", (store) => store.clear());

/** Who was signed in last on this device. */
export const owner = () => run("device", "readonly", (store) => store.get("owner"));

/** `person` is signed in here from now on; what waits for somebody else is theirs no more to send from here. Nobody: it waits, unseen. */
export async function own(person) {
  await run("device", "readwrite", (store) => store.put(person, "owner"));
  if (!person) return;
  for (const entry of await all()) if (entry.person !== person) await drop(entry.id);
}
