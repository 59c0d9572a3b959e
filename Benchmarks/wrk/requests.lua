-- Requests for wrk: `wrk … requests.lua -- ITEMS METHOD PATH BODY conditional`
--
-- ITEMS is a file with lines of token, user and subscription (hexadecimal), and perhaps a cursor or the tag of an answer.
-- Each request takes a line at random. In PATH and BODY "{subscription}" and "{cursor}" become that line's, "{fresh}" a new
-- random id, "{tenant}" the tenant that stands where else a cursor does. With "conditional" the tag goes into If-None-Match. At the end a line of numbers follows
-- what wrk prints: requests, microseconds, errors, 50th and 99th percentile of the latency in microseconds.

local function uuid(hex)
    hex = hex:lower()
    return hex:sub(1, 8) .. "-" .. hex:sub(9, 12) .. "-" .. hex:sub(13, 16) .. "-" .. hex:sub(17, 20) .. "-" .. hex:sub(21)
end

local function fresh()
    local parts = {}
    for i = 1, 8 do parts[i] = string.format("%04x", math.random(0, 65535)) end
    -- A UUID of version 4 (RFC 9562).
    parts[4] = string.format("4%03x", math.random(0, 4095))
    parts[5] = string.format("%04x", math.random(32768, 49151))
    return uuid(table.concat(parts))
end

local requests, templates = {}, {}

function init(arguments)
    local method, path, body, conditional = arguments[2], arguments[3], arguments[4], arguments[5] == "conditional"
    if body == "" then body = nil end
    math.randomseed(os.time())
    for line in io.lines(arguments[1]) do
        local token, user, subscription, known = line:match("(%S+)%s+(%S+)%s+(%S+)%s*(%S*)")
        local headers = { ["Authorization"] = "Bearer " .. token }
        if body then headers["Content-Type"] = "application/json" end
        if conditional then headers["If-None-Match"] = known end
        local place = path:gsub("{subscription}", uuid(subscription)):gsub("{cursor}", (known:gsub("%%", "%%%%")))
        place = place:gsub("{tenant}", known)
        local text = wrk.format(method, place, headers, body)
        requests[#requests + 1] = text
    end
    if (path .. (body or "")):find("{fresh}", 1, true) then
        templates, requests = requests, nil
        -- wrk.format has counted the placeholder's length in Content-Length.
        for i, text in ipairs(templates) do
            templates[i] = text:gsub("(Content%-Length: )(%d+)", function(name, length)
                return name .. (tonumber(length) + 36 - #"{fresh}")
            end)
        end
    end
end

function request()
    if requests then return requests[math.random(#requests)] end
    return (templates[math.random(#templates)]:gsub("{fresh}", fresh(), 1))
end

function done(summary, latency, _)
    local errors = summary.errors
    io.write(string.format("\nresult %d %d %d %d %d\n", summary.requests, summary.duration,
        errors.connect + errors.read + errors.write + errors.status + errors.timeout,
        latency:percentile(50), latency:percentile(99)))
end
