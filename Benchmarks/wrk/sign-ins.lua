-- Sign-ins for wrk: `wrk … sign-ins.lua -- ITEMS PASSWORD`
--
-- ITEMS is a file with lines of token, user and subscription (hexadecimal). Each request takes a line in turn; the
-- account's address and its device are made of the user. At the end a line of numbers follows what wrk prints, as with
-- requests.lua.

local requests, next_one = {}, 0

function init(arguments)
    for line in io.lines(arguments[1]) do
        local user = line:match("%S+%s+(%S+)"):lower()
        local id = user:sub(1, 8) .. "-" .. user:sub(9, 12) .. "-" .. user:sub(13, 16) .. "-" .. user:sub(17, 20) .. "-"
            .. user:sub(21)
        requests[#requests + 1] = wrk.format("POST", "/v1/sessions", { ["Content-Type"] = "application/json" },
            string.format('{"email":"%s@bench.example","password":"%s","device":{"id":"%s","name":"bench"}}', user,
                arguments[2], id))
    end
end

function request()
    next_one = next_one % #requests + 1
    return requests[next_one]
end

function done(summary, latency, _)
    local errors = summary.errors
    io.write(string.format("\nresult %d %d %d %d %d\n", summary.requests, summary.duration,
        errors.connect + errors.read + errors.write + errors.status + errors.timeout,
        latency:percentile(50), latency:percentile(99)))
end
