-- Each request from a line of the file in BENCH_REQUESTS: a path, or for `post` a person's id and access token. Prints JSON at the end.
local lines, next_line = {}, 0
local posts = os.getenv("BENCH_POSTS") == "1"
local west, south, width = 24.8, 60.1, 0.25

function init()
  for line in io.lines(os.getenv("BENCH_REQUESTS")) do lines[#lines + 1] = line end
  math.randomseed(os.time())
  next_line = math.random(#lines)
end

function request()
  next_line = next_line % #lines + 1
  local line = lines[next_line]
  if not posts then return wrk.format("GET", line) end
  local person, token = line:match("(%S+) (%S+)")
  local body = string.format('{"name":"Beside the %s library","position":{"latitude":%.6f,"longitude":%.6f}}',
    next_line, south + math.random() * width / 2, west + math.random() * width)
  return wrk.format("POST", "/v1/spots",
    { ["Content-Type"] = "application/json", Authorization = "Bearer " .. token, ["X-Person"] = person }, body)
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('{"count":%d,"perSecond":%.1f,"p50":%.1f,"p90":%.1f,"p99":%.1f,"errors":%d}\n',
    summary.requests, summary.requests / summary.duration * 1e6, latency:percentile(50), latency:percentile(90),
    latency:percentile(99), errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
